/** The title of a session that was opened by its leaf equals the one from reading all of it. */
import { appendFileSync, copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { formats, prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { openHandle } from '../handle/handle.ts';
import { openSession } from './session-reader.ts';

const titleOf = async (file: string): Promise<string | undefined> =>
	(await openSession(file, { subagents: false })).header.title || undefined;

test.each(corpusFiles().map((file) => [file.name, file] as const))(
	'a handle on %s knows its title',
	async (_, file) => {
		using scratch = new Scratch();
		const copy = join(scratch.folder, basename(file.path));
		copyFileSync(file.path, copy);
		const expected = await titleOf(copy).catch(() => 'unreadable');
		if (expected === 'unreadable') return;
		await using handle = await openHandle(copy, { machine: scratch.machine });
		expect(handle.session.header.title || undefined).toBe(expected);
	},
);

describe.each(formats)('%s', (format) => {
	test('a title that is given while the handle is open is known to it', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await using handle = await openHandle(file, { machine: scratch.machine });
		expect(handle.session.header.title || undefined).toBe(await titleOf(file));
		await handle.append({ kind: 'setting', set: { title: 'Another name' } }, prompt('and now?'));
		expect(handle.session.header.title).toBe(await titleOf(file));
		if (format !== 'cline') expect(handle.session.header.title).toBe('Another name');
	});
});

test('a made-up title does not hide the one that the user gave', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('claude-code');
	const sessionId = (await openSession(file)).id;
	const line = (fields: object): string => `${JSON.stringify({ ...fields, sessionId })}\n`;
	appendFileSync(file, line({ type: 'custom-title', customTitle: 'Mine' }));
	await using handle = await openHandle(file, { machine: scratch.machine });
	expect(handle.session.header.title).toBe('Mine');
	appendFileSync(file, line({ type: 'ai-title', aiTitle: 'Made up' }));
	await handle.append(prompt('and now?'), reply('done'));
	expect(handle.session.header.title).toBe('Mine');
});
