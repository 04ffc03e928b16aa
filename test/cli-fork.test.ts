/** `fork` and `rewind` as their users meet them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { path } from '../src/model/index.ts';
import { openSession } from '../src/store/reader/session-reader.ts';
import { conversationOf } from './support/laws.ts';
import { bytesAt, formats, Scratch } from './support/sessions.ts';

const root = join(import.meta.dirname, '..');

function reprise(scratch: Scratch, ...args: readonly string[]) {
	const env = { ...process.env, NO_COLOR: '1', HOME: scratch.folder, REPRISE_HOME: join(scratch.folder, 'own') };
	const run = spawnSync(process.execPath, [join(root, 'bin/reprise.js'), ...args], {
		cwd: root,
		encoding: 'utf8',
		env,
	});
	return { code: run.status, out: run.stdout, err: run.stderr };
}

const secondReply = async (file: string): Promise<string> =>
	path(await openSession(file)).filter((entry) => entry.kind === 'message' && entry.role === 'assistant')[1]?.id ?? '';

describe.each(formats)('%s', (format) => {
	test('fork makes a session and says where it is', () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const { code, out, err } = reprise(scratch, 'fork', file, '--json');
		expect({ code, err }).toEqual({ code: 0, err: '' });
		const said = JSON.parse(out);
		expect(said).toMatchObject({ format, from: file, losses: [] });
		expect(said.files).toContain(said.path);
		expect(said.files.every((one: string) => existsSync(one) && one.startsWith(scratch.folder))).toBe(true);
		expect(dirname(said.path)).toBe(scratch.folder);
	});

	test('rewind goes back to an entry, named by its id', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const before = bytesAt(file);
		const to = await secondReply(file);
		const { code, out, err } = reprise(scratch, 'rewind', file, '--to', to, '--json');
		expect({ code, err }).toEqual({ code: 0, err: '' });
		const said = JSON.parse(out);
		const branches = format === 'claude-code' || format === 'openclaw';
		expect(said.path === file).toBe(branches);
		expect(bytesAt(file).subarray(0, before.length).equals(before)).toBe(true);
		const session = await openSession(said.path);
		expect(conversationOf(path(session))).toEqual(conversationOf(path(await openSession(file), to)));
		const last = path(session).findLast((entry) => entry.kind === 'message');
		// Clido has no ids: its lines are counted, and a fork has one more.
		expect(last?.id).toBe(format === 'clido' ? said.leaf : to);
	});

	test('an entry that is not there is the input’s fault, and nothing is written', () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const before = bytesAt(file);
		const { code, err } = reprise(scratch, 'rewind', file, '--to', 'nowhere');
		expect(code).toBe(1);
		expect(err).toContain('nowhere');
		expect(bytesAt(file).equals(before)).toBe(true);
	});
});
