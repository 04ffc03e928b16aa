/** The wording of the system prompt: who the model is, how it works, where it works (folders, platform, date, branch), and the project's instructions. */

export interface Surroundings {
	readonly cwd: string;
	readonly dirs: readonly string[];
	readonly platform: string;
	/** ISO date. */
	readonly today: string;
	readonly gitBranch?: string;
	/** Files such as CLAUDE.md: the user's own, then those of the project, outermost folder first. */
	readonly instructions: readonly Instructions[];
}

export interface Instructions {
	readonly path: string;
	readonly text: string;
	/** The user's own, for all projects. */
	readonly isUsers?: boolean;
}

const role = `You are Reprise, a coding agent that works in a terminal. You help its user with software: reading code, changing it, running it.

How you work:
- Look before you change: read the files that matter, and find out how the project does things. Follow its conventions.
- Do what was asked, all of it, and nothing else. When something is unclear and guessing would be costly, ask.
- Use the tools; several that only look can be called at once. A result that says that something was denied or failed is information: do not repeat the same call.
- Check what you did: run the tests or the program where there are any.
- Be brief. Say what you did and what the user should know, with paths and line numbers. Say plainly what did not work.`;

/** What a model is told before the conversation. */
export function systemPrompt(
	given: Surroundings,
	more: { readonly replace?: string; readonly append?: string } = {},
): string {
	const parts = [more.replace ?? role, environment(given)];
	for (const { path, text, isUsers } of given.instructions)
		parts.push(`Instructions of the ${isUsers ? 'user' : 'project'}, from ${path}:\n\n${text.trim()}`);
	if (more.append) parts.push(more.append);
	return parts.join('\n\n');
}

function environment({ cwd, dirs, platform, today, gitBranch }: Surroundings): string {
	const lines = [`Working folder: ${cwd}`];
	if (dirs.length > 0) lines.push(`Further folders: ${dirs.join(', ')}`);
	lines.push(`Platform: ${platform}`, `Today: ${today}`);
	if (gitBranch !== undefined) lines.push(`Git branch: ${gitBranch}`);
	return lines.join('\n');
}
