/** Decisions about shell commands by rules alone, over files that are only named. */
import { expect, it } from 'vitest';
import type { FileView, PermissionMode } from '../../src/agent/contracts.ts';
import { decide, type RuleKind, readRule } from '../../src/agent/permissions/index.ts';
import { normalise } from '../../src/agent/permissions/path-names.ts';

const folders = new Set(['/p', '/p/locked', '/p/sub', '/p/src', '/tmp/outside', '/home/u']);
const files: FileView = {
	real: (path) => normalise(path),
	kind: (path) => (folders.has(normalise(path)) ? 'folder' : undefined),
	list: (folder) => (normalise(folder) === '/p' ? ['a.txt', 'b.txt', 'sub', 'src', '.env'] : []),
};

export interface Given {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
	readonly mode?: PermissionMode;
}

export function circumstances({ mode = 'default', ...lists }: Given) {
	const rules = (kind: RuleKind) =>
		(lists[kind] ?? []).map((text) => {
			const read = readRule(text, kind);
			if ('problem' in read) throw new Error(`${text}: ${read.problem}`);
			return read.rule;
		});
	const all = { allow: rules('allow'), ask: rules('ask'), deny: rules('deny') };
	return { mode, rules: all, cwd: '/p', home: '/home/u', dirs: [], files };
}

export async function judge(command: string, given: Given): Promise<string> {
	return (await decide({ tool: 'Bash', input: { command } }, circumstances(given))).decision;
}

export function table(name: string, given: Given, expected: string, commands: readonly string[]): void {
	it.each(commands)(`${name}: %s`, async (command) => {
		expect(await judge(command, given)).toBe(expected);
	});
}
