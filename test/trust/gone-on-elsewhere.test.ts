/** A client that stays open while its session goes on elsewhere asks the model with all that was said. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { ClientStage, type Frame } from '../support/client.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const knowing = {
	turns: [
		{ when: { any: 'left behind' }, text: 'I still hear it.' },
		{ when: { any: 'banana' }, text: 'It is yellow.' },
		{ when: { any: 'banana' }, text: 'It is yellow.' },
	],
	default: { text: 'I was not told.' },
};
const wire = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];

/** A client that has opened its session, has written nothing, and is given prompts when the test is ready. */
async function opened(stage: ClientStage, args: readonly string[]) {
	const child = stage.start([...wire, ...args]);
	const said: string[] = [];
	child.stderr.on('data', (bytes: Buffer) => said.push(bytes.toString()));
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const send = async (sent: object, awaited: string): Promise<Frame> => {
		child.stdin.write(`${JSON.stringify(sent)}\n`);
		for (;;) {
			const { value, done } = await lines.next();
			if (done) throw new Error(`it ended: ${said.join('')}`);
			const frame = JSON.parse(value) as Frame;
			if (frame.type === awaited) return frame;
		}
	};
	await send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } }, 'control_response');
	return {
		ask: async (content: string) => (await send({ type: 'user', message: { role: 'user', content } }, 'result')).result,
		async end(): Promise<string> {
			child.stdin.end();
			await once(child, 'close');
			return said.join('');
		},
	};
}

describe('a session that has gone on elsewhere', { timeout: 60_000 }, () => {
	it.each(['claude-code', 'clido', 'cline', 'openclaw'])('is read again before the next prompt: %s', async (format) => {
		using stage = new ClientStage();
		const flags = ['--script', stage.script(knowing)];
		await stage.run(['-p', 'base', '--session-format', format, ...flags]);
		const client = await opened(stage, ['-c', ...flags]);
		await stage.run(['-c', '-p', 'the secret word is banana', ...flags]);
		expect(await client.ask('which colour has it?')).toBe('It is yellow.');
		expect(await client.ask('and now?')).toBe('It is yellow.');
		const said = await client.end();
		expect(said.match(/the session has gone on elsewhere: 2 messages were read/g)).toHaveLength(1);
		const { out } = await stage.run(['show', 'last']);
		expect(out).toMatch(/base[\s\S]*banana[\s\S]*which colour[\s\S]*and now/);
	});

	it.each(['claude-code', 'clido', 'cline', 'openclaw'])(
		'is told by what was said in it, whatever went along with the prompts before: %s',
		async (format) => {
			using stage = new ClientStage();
			writeFileSync(join(stage.cwd, 'a.txt'), 'a file\n');
			const flags = ['--script', stage.script(knowing)];
			await stage.run(['-p', 'base', '--session-format', format, ...flags]);
			const client = await opened(stage, ['-c', ...flags]);
			await client.ask('look at @a.txt');
			await client.ask('and again at @a.txt');
			await stage.run(['-c', '-p', 'the secret word is banana', ...flags]);
			await client.ask('which colour has it?');
			expect(await client.end()).toContain('the session has gone on elsewhere: 2 messages were read');
		},
	);

	it('goes on from where it goes on now, where that is elsewhere', async () => {
		using stage = new ClientStage();
		const flags = ['--script', stage.script(knowing)];
		const { session_id: id } = await stage.json('-p', 'base', ...flags);
		const first = (await stage.lines(id)).findLast(({ type }) => type === 'assistant');
		await stage.run(['-c', '-p', 'this is left behind', ...flags]);
		const client = await opened(stage, ['-c', ...flags]);
		const back = ['--resume-session-at', String(first?.uuid)];
		await stage.run(['-c', ...back, '-p', 'the secret word is banana', ...flags]);
		expect(await client.ask('which colour has it?')).toBe('It is yellow.');
		expect(await client.end()).toContain('the session has gone on elsewhere: it was read again');
	});

	it('is not said to have gone on where it was only given a title', async () => {
		using stage = new ClientStage();
		const flags = ['--script', stage.script(knowing)];
		await stage.run(['-p', 'base', ...flags]);
		const client = await opened(stage, ['-c', ...flags]);
		expect((await stage.run(['rename', 'last', 'a title'])).code).toBe(0);
		expect(await client.ask('go on')).toBe('I was not told.');
		expect(await client.end()).not.toContain('gone on elsewhere');
	});

	it.skipIf(!hasTmux)('is shown at the console as far as it came, before the prompt that follows', async () => {
		using stage = new ClientStage();
		const flags = ['--script', stage.script(knowing)];
		await stage.run(['-p', 'base', ...flags]);
		using tmux = new Tmux(stage, ['-c', ...flags]);
		await tmux.shows('● I was not told.');
		await stage.run(['-c', '-p', 'the secret word is banana', ...flags]);
		tmux.type('which colour has it?');
		tmux.press('Enter');
		const shown = await tmux.shows(/which colour has it\?\n+● It is yellow\./);
		expect(shown).toMatch(
			/gone on elsewhere: 2 messages were read\n+❯ the secret word is banana\n+● It is yellow\.\n+❯ which/,
		);
		expect(shown.match(/base/g)).toHaveLength(1);
	});
});
