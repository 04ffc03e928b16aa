/** A project whose files a scripted session changes, and trees of it to compare: bytes, modes and links. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ScriptInput } from '../../src/providers/script.ts';
import type { ClientStage } from './client.ts';

export interface Tree {
	readonly [path: string]: string;
}

/** Every file and link of a folder with what a rewind has to bring back of it; git's own data is not a project's. */
export function treeIn(folder: string): Tree {
	const found: { [path: string]: string } = {};
	const visit = (place: string): void => {
		for (const name of readdirSync(place).sort()) {
			const path = join(place, name);
			const stat = lstatSync(path);
			if (stat.isDirectory()) {
				if (name !== '.git') visit(path);
			} else
				found[relative(folder, path)] = stat.isSymbolicLink() ? `→ ${readlinkSync(path)}` : fileText(path, stat.mode);
		}
	};
	visit(folder);
	return found;
}

function fileText(path: string, mode: number): string {
	const bytes = readFileSync(path);
	const sum = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
	return `${(mode & 0o7777).toString(8)} ${bytes.length} ${sum}`;
}

export function git(folder: string, ...args: readonly string[]): string {
	const who = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', '-c', 'init.defaultBranch=main'];
	return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

export const runs = (command: string) => ({
	content: [{ type: 'tool_use' as const, name: 'Bash', input: { command } }],
});

export const writes = (file_path: string, content: string) => ({
	content: [{ type: 'tool_use' as const, name: 'Write', input: { file_path, content } }],
});

export const says = (text: string) => ({ text });

/** One prompt of the session, with these calls. */
export async function prompt(
	stage: ClientStage,
	calls: readonly object[],
	more: readonly string[] = [],
): Promise<void> {
	const script = stage.script([...calls, { text: 'Done.' }] as unknown as ScriptInput);
	const { code, err } = await stage.run(['-p', 'go', '--script', script, '--dangerously-skip-permissions', ...more]);
	if (code !== 0) throw new Error(err);
}

interface Part {
	readonly kind: string;
	readonly entry?: string;
}

/** The entries of one kind, in order. */
export async function entries(stage: ClientStage, kind: string, session = 'last'): Promise<readonly string[]> {
	const { parts } = JSON.parse((await stage.run(['show', session, '--json'])).out) as { parts: readonly Part[] };
	return parts.flatMap((part) => (part.kind === kind && part.entry !== undefined ? [part.entry] : []));
}
