/** Sessions that nobody keeps: nothing of them stays where they could not be opened. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { scratchMachine } from '../../test/support/scratch.ts';
import { openClientSession } from './session.ts';

afterEach(() => vi.unstubAllEnvs());

it('a session that is not kept leaves no copy where it cannot be gone on with', async () => {
	using scratch = scratchMachine();
	const temporary = scratch.folder('tmp');
	vi.stubEnv('TMPDIR', temporary);
	for (const [name, value] of Object.entries(scratch.machine.env)) vi.stubEnv(name, value);
	const cwd = scratch.folder('project');
	const path = join(cwd, '690a76e2-5372-41ae-aa4e-4739c06b16b1.jsonl');
	const said = { type: 'user', uuid: '690a76e2-5372-41ae-aa4e-4739c06b16b0', parentUuid: null, message: {} };
	writeFileSync(path, `${JSON.stringify({ ...said, message: { role: 'user', content: 'Hello' } })}\n`);
	const options = { resume: path, sessionPersistence: false, resumeSessionAt: 'nobody-said-this' };
	await expect(openClientSession(options, cwd)).rejects.toThrow('nobody-said-this');
	await expect(openClientSession({ sessionPersistence: false, sessionId: 'a/b' }, cwd)).rejects.toThrow('a/b');
	expect(existsSync(path)).toBe(true);
	expect(readdirSync(temporary)).toEqual([]);
});
