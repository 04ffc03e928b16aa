/** Frames: how many are made and read in a second, and how long a host waits for the first one. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { entryFrames } from '../src/frames/frames.ts';
import { readInputLine } from '../src/frames/input.ts';
import { parseFrame } from '../src/frames/parse.ts';
import type { MessageEntry } from '../src/model/index.ts';
import type { Benchmark, Variant } from './lib/bench.ts';

const many = 200_000;

const entry: MessageEntry = {
	...{ kind: 'message', role: 'assistant', id: '11111111-1111-4111-8111-111111111111', parent: null, records: [] },
	time: '2026-11-15T18:14:35.541Z',
	content: [
		{ type: 'text', text: 'A reply of usual length, in which something is said about a file and a line of it.' },
	],
};
const facts = { sessionId: '22222222-2222-4222-8222-222222222222', reply: 'msg_1' };
const prompt = JSON.stringify({
	type: 'user',
	message: { role: 'user', content: 'What does a.txt say?' },
	uuid: facts.sessionId,
});

const counted = (name: string, work: (line: string) => number): Variant => ({
	name,
	run() {
		const line = JSON.stringify(entryFrames(entry, facts)[0]);
		let done = 0;
		for (let i = 0; i < many; i += 1) done += work(line);
		return done;
	},
});

const program = join(process.cwd(), 'bin/reprise.js');
const starts = 10;
const start = (name: string, args: () => readonly string[]): Variant => ({
	name,
	inChildren: true,
	run() {
		const given = args();
		for (let i = 0; i < starts; i += 1) {
			const done = spawnSync(process.execPath, given, { input: `${prompt}\n`, encoding: 'utf8' });
			if (done.status !== 0) throw new Error(`${name} ended with ${done.status ?? done.signal}: ${done.stderr}`);
		}
		return undefined;
	},
});

/** How long a host waits for the frame `init`, with a model that is asked only after it: nobody listens where it is. */
const toInit: Variant = {
	name: 'to the frame init',
	inChildren: true,
	goal: { ratio: 4 },
	async run() {
		const given = [program, '--model', 'anthropic/claude-sonnet-4-5', ...frameFlags()];
		const env = { ...process.env, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
		for (let i = 0; i < starts; i += 1) {
			const child = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'ignore'], env });
			child.stdin.write(`${prompt}\n`);
			for await (const line of createInterface({ input: child.stdout })) if (line.includes('"init"')) break;
			// What it does after that is not waited for.
			child.kill('SIGKILL');
		}
		return undefined;
	},
};

function turn(): readonly string[] {
	const script = join(mkdtempSync(join(tmpdir(), 'reprise-bench-frames-')), 'script.json');
	writeFileSync(script, JSON.stringify({ turns: [], default: { text: 'ok' } }));
	return [program, '--script', script, ...frameFlags()];
}

function frameFlags(): readonly string[] {
	const home = `${mkdtempSync(join(tmpdir(), 'reprise-bench-frames-'))}/`;
	return ['--input-format', 'stream-json', '--output-format', 'stream-json', '--session-file', home];
}

export const benchmark: Benchmark = {
	title: 'Frames',
	about: `${many.toLocaleString('en-US')} frames of a reply, made from an entry and written as a line, then read again; and a turn that a host asks for, start to its frame init and start to end, ${starts} times.`,
	groups: [
		{
			title: 'Making and reading',
			variants: [
				counted('JSON.stringify and JSON.parse', (line) => (JSON.parse(JSON.stringify(JSON.parse(line))) ? 1 : 0)),
				counted('an entry as a line', () => (JSON.stringify(entryFrames(entry, facts)[0]).length > 0 ? 1 : 0)),
				counted('a line of a host', () => (readInputLine(prompt).type === 'prompt' ? 1 : 0)),
				counted('made, written, parsed and checked', () =>
					parseFrame(JSON.stringify(entryFrames(entry, facts)[0])).is === 'frame' ? 1 : 0,
				),
			],
		},
		{ title: 'A turn', variants: [start('node -e 0', () => ['-e', '0']), toInit, start('one prompt by frames', turn)] },
	],
};
