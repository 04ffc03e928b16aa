/** Prompts as their authors meant them: Claude Code writes commands down in tags of its own. */

const command = /^\s*<command-name>([^<]*)<\/command-name>/;
const args = /<command-args>([\s\S]*?)<\/command-args>/;
const output = /^\s*<local-command-(?:stdout|stderr)>([\s\S]*?)<\/local-command-(?:stdout|stderr)>\s*$/;
const shellInput = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;
const shellOutput = /^\s*<bash-stdout>([\s\S]*?)<\/bash-stdout>(?:<bash-stderr>([\s\S]*?)<\/bash-stderr>)?\s*$/;

export interface Prompted {
	readonly text: string;
	/** What a command printed, which nobody has typed. */
	readonly isOutput: boolean;
}

export function prompted(text: string): Prompted {
	const name = command.exec(text)?.[1];
	if (name !== undefined)
		return { text: `${name.trim()} ${args.exec(text)?.[1]?.trim() ?? ''}`.trim(), isOutput: false };
	const typed = shellInput.exec(text)?.[1];
	if (typed !== undefined) return { text: `! ${typed.trim()}`, isOutput: false };
	const printed = output.exec(text)?.[1];
	if (printed !== undefined) return { text: printed.trim(), isOutput: true };
	const [, out, error = ''] = shellOutput.exec(text) ?? [];
	if (out !== undefined)
		return { text: [out.trim(), error.trim()].filter((one) => one !== '').join('\n'), isOutput: true };
	return { text, isOutput: false };
}
