/** Tool calls of a scripted model under permission rules, and which of them were let through. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../src/model/index.ts';
import type { ClientStage } from './client.ts';

export interface ToolUse {
	readonly name: string;
	readonly input: { [key: string]: string };
}

export const bash = (command: string): ToolUse => ({ name: 'Bash', input: { command } });
export const write = (file_path: string): ToolUse => ({ name: 'Write', input: { file_path, content: 'changed\n' } });
export const read = (file_path: string): ToolUse => ({ name: 'Read', input: { file_path } });

export interface Tried {
	readonly code: number | null;
	readonly err: string;
	/** The inputs of calls that were not let through. */
	readonly denied: readonly Json[];
}

/** One prompt, in which the model makes these calls one after the other. */
export async function tryCalls(
	stage: ClientStage,
	calls: readonly ToolUse[],
	...flags: readonly string[]
): Promise<Tried> {
	const script = stage.script([
		...calls.map((call) => ({ content: [{ type: 'tool_use' as const, ...call }] })),
		{ text: 'done' },
	]);
	const { code, out, err } = await stage.run(['-p', 'x', '--script', script, '--output-format', 'json', ...flags]);
	const document = out === '' ? {} : (JSON.parse(out) as { permission_denials?: { tool_input: Json }[] });
	return { code, err, denied: (document.permission_denials ?? []).map(({ tool_input }) => tool_input) };
}

/** `permissions` of a settings file of the user or of the project. */
export function settings(stage: ClientStage, whose: 'user' | 'project' | 'local', permissions: unknown): string {
	const path =
		whose === 'user'
			? join(stage.home, '.claude/settings.json')
			: stage.file(`.claude/settings${whose === 'local' ? '.local' : ''}.json`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof permissions === 'string' ? permissions : JSON.stringify({ permissions }));
	return path;
}

/** As Claude Code writes it down when its user trusts a folder. */
export function trust(stage: ClientStage): void {
	const path = join(stage.home, '.claude/.claude.json');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify({ projects: { [stage.cwd]: { hasTrustDialogAccepted: true } } }));
}

/** Files of the project, or beside it. */
export function put(stage: ClientStage, ...names: readonly string[]): void {
	for (const name of names) {
		const path = join(stage.cwd, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, 'as it was\n');
	}
}
