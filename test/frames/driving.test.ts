/** What a program that drives the client may count on, whatever is said and in whatever order it asks and reads. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { driveProcess, type ParsedFrame } from '../../src/frames/index.ts';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const bin = join(import.meta.dirname, '../../bin/reprise.js');
const odd = 'one\u2028two\u2029three\u0085four';

it('a text with signs that end a line elsewhere is one prompt, and one frame for hosts that split lines there', async () => {
	const script = stage.script({ turns: [{ text: odd }], default: { text: 'too often' } });
	const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--replay-user-messages'];
	const child = stage.start(['--script', script, ...flags]);
	// Also behind a byte order mark, as hosts written in .NET begin.
	child.stdin.end(`\ufeff${JSON.stringify({ type: 'user', message: { role: 'user', content: odd } })}\n`);
	let err = '';
	child.stderr.on('data', (text: Buffer) => {
		err += String(text);
	});
	const frames: { readonly type: string; readonly [field: string]: unknown }[] = [];
	// As the Agent SDK reads: a line that is no JSON would be passed over, and its frame lost.
	for await (const line of createInterface({ input: child.stdout })) frames.push(JSON.parse(line));
	expect(frames.filter(({ isReplay }) => isReplay)).toMatchObject([{ message: { content: odd } }]);
	expect(frames.filter(({ type }) => type === 'result')).toMatchObject([{ subtype: 'success', result: odd }]);
	expect(err).toBe('');
});

it('a host may ask before it reads, stop reading after a turn and go on with the next', async () => {
	await using one = driveProcess({
		command: process.execPath,
		args: [bin, '--script', stage.script({ turns: [], default: { text: odd } })],
		cwd: stage.cwd,
		env: stage.env,
	});
	expect(await one.request('initialize')).toMatchObject({ models: expect.any(Array) });
	const turn = async (): Promise<readonly (ParsedFrame & { is: 'frame' })['family'][]> => {
		one.say('go on');
		const families: (ParsedFrame & { is: 'frame' })['family'][] = [];
		for await (const parsed of one.frames) {
			if (parsed.is === 'frame') families.push(parsed.family);
			if (parsed.is === 'frame' && parsed.family === 'result') break;
		}
		return families;
	};
	expect(await turn()).toEqual(expect.arrayContaining(['init', 'assistant', 'result']));
	expect(await turn()).toEqual(expect.arrayContaining(['command_lifecycle', 'init', 'assistant', 'result']));
	one.end();
	expect(() => one.say('and this?')).toThrow('its input was ended');
	await expect(one.request('get_status')).rejects.toThrow('its input was ended');
	expect(await one.exit).toBe(0);
	expect(() => one.say('anybody?')).toThrow('the program has ended');
	expect(() => one.send({ type: 'keep_alive' })).toThrow('the program has ended');
	await expect(one.request('get_status')).rejects.toThrow('the program has ended');
});

it('a program that cannot be started is an error for whoever reads or asks, and not a silence', async () => {
	await using none = driveProcess({ command: '/nowhere/agent' });
	none.say('anybody?');
	const read = async (): Promise<void> => {
		for await (const _ of none.frames) throw new Error('nobody is there to say this');
	};
	await expect(none.request('initialize')).rejects.toThrow('could not be started');
	await expect(read()).rejects.toThrow('ENOENT');
	expect(await none.exit).toBe(null);
});
