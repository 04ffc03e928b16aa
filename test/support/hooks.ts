/** Hooks in the user's settings, and runs that call them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScriptInput } from '../../src/providers/script.ts';
import type { ClientStage, Frame } from './client.ts';

export interface Handler {
	readonly type?: string;
	readonly command?: string;
	readonly url?: string;
	readonly timeout?: number;
	readonly [field: string]: unknown;
}

export const command = (text: string, more: Handler = {}): Handler => ({ type: 'command', command: text, ...more });

/** Prints this as its answer. */
export const prints = (answer: unknown, more: Handler = {}): Handler =>
	command(`echo '${JSON.stringify(answer)}'`, more);

export const decides = (permissionDecision: string, more: object = {}): Handler =>
	prints({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } });

export const use = (name: string, input: Record<string, string>) => ({
	content: [{ type: 'tool_use' as const, name, input }],
});
export const bash = (text: string) => use('Bash', { command: text });
export const skip = '--dangerously-skip-permissions';

interface Ran {
	readonly code: number | null;
	readonly err: string;
	readonly result: Frame;
	readonly lines: readonly Frame[];
}

export class HookRuns {
	readonly #stage: ClientStage;

	constructor(stage: ClientStage) {
		this.#stage = stage;
	}

	settings(value: object): void {
		const path = join(this.#stage.home, '.claude/settings.json');
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, JSON.stringify(value));
	}

	/** These hooks, and nothing else but `more`. */
	hooks(points: { readonly [point: string]: readonly Handler[] }, matcher?: string, more: object = {}): void {
		const groups = Object.entries(points).map(([point, handlers]) => [
			point,
			[{ ...(matcher === undefined ? {} : { matcher }), hooks: handlers }],
		]);
		this.settings({ hooks: Object.fromEntries(groups), ...more });
	}

	/** A run of these turns, and `done` at its end. */
	async run(script: unknown, ...flags: readonly string[]): Promise<Ran> {
		const turns = [...(script as readonly object[]), { text: 'done' }] as unknown as ScriptInput;
		const { code, out, err } = await this.#stage.run([
			...['-p', 'go', '--script', this.#stage.script(turns), '--output-format', 'json'],
			...flags,
		]);
		const result = (out === '' ? {} : JSON.parse(out)) as Frame;
		return { code, err, result, lines: out === '' ? [] : await this.#stage.lines(result.session_id) };
	}

	/** What is in a file of the project; nothing where there is none. */
	said(path: string): string {
		return existsSync(this.#stage.file(path)) ? readFileSync(this.#stage.file(path), 'utf8') : '';
	}
}

/** The records of hooks among the lines of a session. */
export const records = (lines: readonly Frame[]) =>
	lines.flatMap(({ attachment }) =>
		(attachment as Frame | undefined)?.type.startsWith('hook_') ? [attachment as Frame] : [],
	);

export const toolTexts = (lines: readonly Frame[]) => JSON.stringify(lines.filter(({ type }) => type === 'user'));
