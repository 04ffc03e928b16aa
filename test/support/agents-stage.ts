/** Runs of the command that start sub-agents, and what became of those. */
import { readFileSync } from 'node:fs';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage, type Ended, type Frame, framesIn } from './client.ts';

export interface ListedAgent {
	readonly id: string;
	readonly path: string;
	readonly state: string;
	readonly type: string | null;
	readonly description: string | null;
	readonly call: string | null;
	readonly report: string;
	readonly tokens: number;
	readonly toolUses: number;
}

type Input = { readonly [key: string]: string | number | boolean };

export const use = (name: string, input: Input) => ({ type: 'tool_use' as const, name, input: { ...input } });

/** A call of Task; the prompt begins with the word by which the script knows the agent. */
export const task = (prompt: string, more: Input = {}) =>
	use('Task', { description: `about ${prompt}`, prompt, subagent_type: 'general-purpose', ...more });

/** A turn for the conversation whose first prompt has this word. */
export const turn = (first: string, ...content: readonly ReturnType<typeof use>[]) => ({
	when: { first },
	content: [...content],
});
export const says = (first: string, text: string, more: object = {}) => ({ when: { first }, text, ...more });

export class AgentsStage extends ClientStage {
	/** A run with everything allowed that no rule denies; the prompt is MAIN. */
	async play(turns: readonly object[], ...flags: readonly string[]): Promise<Ended> {
		const mode = flags.includes('--permission-mode') ? [] : ['--permission-mode', 'bypassPermissions'];
		const script = this.script(turns as unknown as ScriptInput);
		return await this.run(['-p', 'MAIN', '--script', script, ...mode, ...flags]);
	}

	async agents(session = 'last'): Promise<readonly ListedAgent[]> {
		const { out, err } = await this.run(['agents', session, '--json']);
		if (out === '') throw new Error(err);
		return (JSON.parse(out) as { agents: ListedAgent[] }).agents;
	}

	linesOf(agent: ListedAgent | undefined): readonly Frame[] {
		return framesIn(readFileSync(agent?.path ?? '', 'utf8'));
	}

	/** What the model was told about each call of the newest session, by the call's number. */
	async results(): Promise<readonly { readonly text: string; readonly isError: boolean }[]> {
		const [newest] = await this.sessions();
		return framesIn(readFileSync(newest?.path ?? '', 'utf8')).flatMap(resultsIn);
	}
}

interface ResultLine {
	readonly message?: { readonly content?: string | readonly Result[] };
}

interface Result {
	readonly type: string;
	readonly is_error?: boolean;
	readonly content?: string | readonly { readonly text?: string }[];
}

export function resultsIn(line: Frame): readonly { readonly text: string; readonly isError: boolean }[] {
	const content = (line as ResultLine).message?.content ?? [];
	if (typeof content === 'string') return [];
	return content
		.filter(({ type }) => type === 'tool_result')
		.map(({ content: told = '', is_error: isError = false }) => ({
			text: typeof told === 'string' ? told : told.map(({ text = '' }) => text).join('\n'),
			isError,
		}));
}
