/** The shell recipes of the format's document work on what is written. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, chain, header, message, text, uuid } from '../../../test/support/clido-entries.ts';
import type { Entry, Profile } from '../../model/index.ts';
import { clido } from './index.ts';

const hasJq = spawnSync('jq', ['--version']).status === 0;

function entries(prompts: readonly string[], costUsd: number): readonly Entry[] {
	const messages = prompts.flatMap((prompt, index) => [
		message('user', [text(prompt)]),
		message('assistant', [text('ok'), call(`c${index}`)]),
		message('user', [{ type: 'tool_result', call: `c${index}`, content: [text('r')], isError: false }]),
	]);
	return [
		...chain(...messages),
		{ kind: 'outcome', id: 'line:9', records: [], status: 'success', costUsd, turns: 1, durationMs: 1 },
	];
}

function inSessions(profile: Profile, use: (folder: string) => void): void {
	const folder = mkdtempSync(join(tmpdir(), 'clido-jq-'));
	try {
		const cases = [
			{ name: 'a', prompts: ['first "quoted"', 'zweite ✓'], cost: 0.0034 },
			{ name: 'b', prompts: ['third'], cost: 0 },
		];
		for (const { name, prompts, cost } of cases) {
			mkdirSync(join(folder, name));
			const { bytes } = clido.write.encode({ profile, id: uuid, header, entries: entries(prompts, cost) });
			writeFileSync(join(folder, name, 'session.jsonl'), bytes);
		}
		use(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const userMessages = 'select(.type == "user_message") | .content[] | select(.type == "text") | .text';

// Skipped where there is no jq program to run the recipes with.
it.skipIf(!hasJq)('the recipe for all user messages finds them in both profiles', () => {
	for (const profile of ['client', 'published'] as const) {
		inSessions(profile, (folder) => {
			const out = execFileSync('jq', ['-r', userMessages, join(folder, 'a', 'session.jsonl')], { encoding: 'utf8' });
			expect(out).toBe('first "quoted"\nzweite ✓\n');
		});
	}
});

it.skipIf(!hasJq)('the recipe for the cost of all sessions finds every cost in both profiles', () => {
	for (const profile of ['client', 'published'] as const) {
		inSessions(profile, (folder) => {
			const recipe = `jq -r 'select(.type == "result") | .total_cost_usd' ${folder}/*/*.jsonl | paste -sd+`;
			const sum = execFileSync('sh', ['-c', recipe], { encoding: 'utf8' }).trim();
			expect(sum.split('+').map(Number)).toEqual([0.0034, 0]);
		});
	}
});
