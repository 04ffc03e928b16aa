/** A writer that goes on with a session until it is killed, in the midst of a write, by its own hand. */
import { writeSync } from 'node:fs';
import { diskCalls, type FileCalls } from '../../src/log/calls.ts';
import { filesLog } from '../../src/log/index.ts';
import type { Draft } from '../../src/store/draft.ts';
import { openHandle } from '../../src/store/handle.ts';

const [path = '', locks = '', home = '', first = '0', budget = '0'] = process.argv.slice(2);

/** Bytes that may still be written; whatever else is done to files counts as some bytes too. */
let left = Number(budget);
const costOfCall = 40;

function die(): never {
	process.kill(process.pid, 'SIGKILL');
	for (;;); // nothing may happen between the signal and the end
}

function counted<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
	return (...args) => {
		left -= costOfCall;
		if (left < 0 && left >= -costOfCall / 2) die();
		const done = call(...args);
		if (left < 0) die();
		return done;
	};
}

const calls: FileCalls = {
	...diskCalls,
	write(file, from, at, length) {
		if (length <= left) {
			left -= length;
			return diskCalls.write(file, from, at, length);
		}
		if (left > 0) diskCalls.write(file, from, at, left);
		die();
	},
	open: counted(diskCalls.open),
	rename: counted(diskCalls.rename),
	unlink: counted(diskCalls.unlink),
	sync: counted(diskCalls.sync),
};

/** From a few bytes to some tens of thousands; every fourth turn calls a tool. */
const sizes = [3, 40, 400, 3_000, 20_000];
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

function turn(n: number): readonly Draft[] {
	const text = `#${n} ${'x'.repeat(sizes[n % sizes.length] ?? 0)}`;
	const response = { id: `msg_${n}`, provider: 'anthropic', model: 'claude-sonnet-4-6', usage };
	return [
		{ kind: 'message', role: 'user', content: [{ type: 'text', text }] },
		{
			kind: 'message',
			role: 'assistant',
			content: [{ type: 'text', text: `re #${n}` }],
			response: { ...response, stop: 'end' },
		},
	];
}

if (path === '') process.exit(0); // only to have the code compiled once for all that come
const machine = { platform: 'linux', home, env: { REPRISE_HOME: home } } as const;
const handle = await openHandle(path, { machine, log: filesLog({ locks, calls, command: 'kill child' }) });
for (let n = Number(first); ; ) {
	const batch = Array.from({ length: 1 + (n % 3) }, (_, i) => handle.append(...turn(n + i)));
	await Promise.all(batch);
	if (n % 2 === 0) await handle.sync();
	n += batch.length;
	writeSync(1, `${n}\n`);
}
