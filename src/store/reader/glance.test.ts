/** What the first and last bytes of a session tell. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { glance } from './glance.ts';
import { openSession } from './session-reader.ts';

const scratch = scratchMachine();
afterAll(() => scratch[Symbol.dispose]());

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const prompt = (text: string, cwd: string): string =>
	line({ type: 'user', uuid: text, parentUuid: null, sessionId: 's', cwd, message: { role: 'user', content: text } });

function session(content: string): { path: string; format: 'claude-code' } {
	const path = join(scratch.folder('glance'), 's.jsonl');
	writeFileSync(path, content);
	return { path, format: 'claude-code' };
}

describe('glance', () => {
	it('says of every recorded session what reading all of it says', async () => {
		for (const file of corpusFiles().filter((one) => !one.handWritten && one.role === 'main')) {
			const { header } = await openSession(file.path, { subagents: false });
			const seen = glance(file);
			expect({ name: file.name, cwd: seen?.cwd }).toEqual({ name: file.name, cwd: header.cwd });
			if (header.title)
				expect({ name: file.name, title: seen?.title }).toEqual({ name: file.name, title: header.title });
		}
	});

	it('a title at the end of a large session is seen, and the user’s own counts more than a made-up one', () => {
		const filler = prompt('x'.repeat(1000), '/p').repeat(500);
		const named = line({ type: 'custom-title', customTitle: 'Mine', sessionId: 's' });
		const made = line({ type: 'ai-title', aiTitle: 'Made up', sessionId: 's' });
		expect(glance(session(prompt('first', '/p') + filler + made))).toMatchObject({ title: 'Made up', named: true });
		expect(glance(session(prompt('first', '/p') + named + filler + made))).toMatchObject({ title: 'Mine' });
		expect(glance(session(prompt('first', '/p') + filler))).toMatchObject({ title: 'first', named: false });
	});

	it('the first folder is where it began, the last where it went', () => {
		const wandering = prompt('a', '/one') + prompt('b', '/two') + line({ type: 'mode', mode: 'x', sessionId: 's' });
		expect(glance(session(wandering))).toMatchObject({ cwd: '/one', lastCwd: '/two' });
		const long = prompt('a', '/one') + prompt('y'.repeat(2000), '/two').repeat(200) + prompt('c', '/three');
		expect(glance(session(long))).toMatchObject({ cwd: '/one', lastCwd: '/three' });
	});

	it('a first prompt behind a long record is found, one behind too many is not waited for', () => {
		const record = (length: number): string => line({ type: 'mode', mode: 'x'.repeat(length), sessionId: 's' });
		expect(glance(session(record(200_000) + prompt('found', '/p')))).toMatchObject({ title: 'found', cwd: '/p' });
		const late = glance(session(record(20_000).repeat(100) + prompt('late', '/p') + record(2_000_000)));
		expect(late).toEqual({ id: 's', named: false });
	});

	it('a torn or damaged file tells what it can, and a missing one nothing', () => {
		const torn = session(`${prompt('whole', '/p')}{"type":"user","cwd":"/q`);
		expect(glance(torn)).toMatchObject({ title: 'whole', cwd: '/p', lastCwd: '/p' });
		expect(glance(session('not json\n\u0000\n'))).toEqual({ named: false });
		expect(glance(session(''))).toEqual({ named: false });
		expect(glance({ path: join(scratch.root, 'never.jsonl'), format: 'claude-code' })).toBeUndefined();
	});

	it('Cline’s folder and title come from the manifest', () => {
		const folder = join(scratch.folder('cline'), 'm');
		mkdirSync(folder);
		writeFileSync(join(folder, 'm.messages.json'), '{"version":1,"sessionId":"m","agent":"lead","messages":[]}');
		writeFileSync(join(folder, 'm.json'), '{"version":1,"session_id":"m","cwd":"/w","metadata":{"title":"T"}}');
		const found = glance({ path: join(folder, 'm.messages.json'), format: 'cline' });
		expect(found).toMatchObject({ cwd: '/w', title: 'T', named: true });
	});

	it('what is appended is seen the next time', () => {
		const at = session(prompt('a', '/one'));
		appendFileSync(at.path, line({ type: 'custom-title', customTitle: 'Later', sessionId: 's' }));
		expect(glance(at)?.title).toBe('Later');
	});
});
