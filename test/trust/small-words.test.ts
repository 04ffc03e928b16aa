/** Small things that commands say: the agent as the list names it, and a document where a program asked for one. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineHere, runHere } from '../support/in-process.ts';

const here = machineHere({ NO_COLOR: '1' });
const samples = join(import.meta.dirname, '../../samples');

it('a session of pi is pi’s in the trash as in the list of sessions', async () => {
	const folder = join(here().home, '.pi/agent/sessions/--home-dev-app--');
	mkdirSync(folder, { recursive: true });
	const path = join(folder, '2026-01-01T00-00-00-000Z_11111111-1111-4111-8111-111111111111.jsonl');
	copyFileSync(join(samples, 'openclaw.jsonl'), path);
	const listed = await runHere(['ls', '--all'], { terminal: false });
	expect(listed.out).toMatch(/\bpi\b/);
	expect((await runHere(['delete', path, '-y'], { terminal: false })).code).toBe(0);
	const { out } = await runHere(['restore'], { terminal: false });
	expect(out).toMatch(/\bdelete\b.*\bpi\b/);
	expect(out).not.toContain('openclaw');
});

it('where nothing was compacted, context --diff --json prints a document that says so', async () => {
	const path = join(samples, 'claude-code.jsonl');
	const { code, out, err } = await runHere(['context', path, '--diff', '--json'], { terminal: false });
	expect({ code, ...JSON.parse(out) }).toEqual({ code: 1, compaction: null, parts: [], added: [] });
	expect(err).toContain('nothing was compacted');
});
