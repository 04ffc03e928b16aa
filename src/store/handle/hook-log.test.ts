/** The log of hooks leads nowhere but to its own place. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { codecNamed } from '../find/session-files.ts';
import { HookLog } from './hook-log.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-hook-log-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it('a link in its place is not followed, and the run goes on', () => {
	const folder = mkdtempSync(join(scratch, 'given-'));
	const own = join(scratch, 'own.txt');
	writeFileSync(own, 'mine');
	symlinkSync(own, join(folder, 'hooks.jsonl'));
	const log = new HookLog(codecNamed('cline'), join(folder, 'a.messages.json'), 'client');
	log.add('a', { what: 'prompt' });
	log.add('a', { what: 'prompt' });
	expect(readFileSync(own, 'utf8')).toBe('mine');
});

it('each line is added to those before, in a file for its owner only', () => {
	const folder = mkdtempSync(join(scratch, 'given-'));
	const log = new HookLog(codecNamed('cline'), join(folder, 'a.messages.json'), 'client');
	for (const session of ['a', 'b']) log.add(session, { what: 'prompt' });
	const lines = readFileSync(join(folder, 'hooks.jsonl'), 'utf8').trimEnd().split('\n');
	expect(lines.map((line) => JSON.parse(line).sessionId)).toEqual(['a', 'b']);
});
