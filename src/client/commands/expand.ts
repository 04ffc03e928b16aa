/** Makes the text that a command or skill stands for: places filled in, the output of its commands, the files that it names. */
import type { Expanded, Expansion, ToolOutput } from '../../agent/contracts.ts';
import { textOf } from '../../agent/recording/blocks.ts';
import { splitEmbedded } from '../../codecs/index.ts';
import { isObject } from '../../model/index.ts';
import { isInside } from '../../store/find/project.ts';
import type { Definition } from './definitions.ts';
import { filledParts, type Part } from './fill.ts';
import { firstLine, gatherNamed } from './named-files.ts';

export interface Place {
	readonly cwd: string;
	/** Other folders that are worked in. */
	readonly dirs?: readonly string[];
	readonly sessionId: string;
	/** Sub-agents can be started here. */
	readonly forks: boolean;
}

export async function expandDefinition(
	definition: Definition,
	args: string,
	{ cwd, sessionId, forks }: Place,
	{ call }: Expansion,
): Promise<Expanded> {
	const { name, kind, folder, body, allow, fork } = definition;
	const skill = kind === 'skill' ? { skillFolder: folder } : {};
	const parts = filledParts(body, { args, sessionId, ...skill });
	const made = await withOutputs(name, parts, call);
	if ('problem' in made) return made;
	const text = kind === 'skill' ? `Base directory for this skill: ${folder}\n\n${made.text}` : made.text;
	// What came along with the words names nothing.
	const { said: typed } = splitEmbedded(args);
	const words = typed === args ? parts : filledParts(body, { args: typed, sessionId, ...skill });
	const said = words.map((part) => ('text' in part ? part.text : '')).join('');
	const { texts: files, named } = await gatherNamed({ said, typed, cwd }, call);
	const texts = [text, ...files];
	const done = { command: { name, args }, allowed: allow.map((rule) => rule.text), named };
	if (!fork || !forks) return { ...done, texts };
	const report = await call('Task', {
		description: `/${name}`,
		prompt: texts.join('\n\n'),
		subagent_type: fork.agent ?? 'general-purpose',
	});
	if (report.isError) return { problem: `/${name} was not carried out: ${firstLine(report)}` };
	return { ...done, texts: [`A sub-agent has carried out /${name} and reports:\n\n${textOf(report.content)}`] };
}

/** A prompt that names files. Those of other folders stay names: nobody is asked about what was perhaps not meant so. */
export async function withFiles(
	prompt: string,
	{ cwd, dirs = [] }: Place,
	{ call }: Expansion,
): Promise<Expanded | undefined> {
	const isHere = (path: string): boolean => [cwd, ...dirs].some((folder) => isInside(folder, path));
	const { said } = splitEmbedded(prompt);
	const { texts, named } = await gatherNamed({ said, typed: said, cwd, isHere }, call);
	return named.along.length + named.left.length === 0 ? undefined : { texts, named };
}

type Call = Expansion['call'];

/** One command that may not run, or fails, is a command that stands for nothing: half of what it is about would be sent. */
async function withOutputs(
	name: string,
	parts: readonly Part[],
	call: Call,
): Promise<{ readonly text: string } | { readonly problem: string }> {
	let text = '';
	for (const part of parts) {
		if ('text' in part) {
			text += part.text;
			continue;
		}
		if ('refused' in part) {
			const why = 'what stands behind its name cannot be put into it as plain words';
			return { problem: `/${name} was not sent: its command ${part.refused} did not run: ${why}` };
		}
		const output = await call('Bash', { command: part.command });
		if (output.isError)
			return { problem: `/${name} was not sent: its command ${part.command} did not run: ${firstLine(output)}` };
		text += outputOf(output);
	}
	return { text };
}

/** What the command printed; what stands for nothing in a result is nothing here. */
function outputOf({ content, details }: ToolOutput): string {
	if (isObject(details) && details.stdout === '' && details.stderr === '') return '';
	return textOf(content);
}
