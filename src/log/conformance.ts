/** What every backend must do, as checks for any test runner. A backend that passes them can carry sessions. */
import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { LogConflict, LogError, type LogFault, LogHeld } from './errors.ts';
import type { Log, LogChange } from './log.ts';

/** An empty place for logs. */
export interface ConformanceBench {
	readonly log: Log;
	/** The same logs, as another part of the program would open them. It may be `log` itself. */
	readonly other: Log;
	/** The prefix all keys of this bench have. */
	readonly prefix: string;
	/** Called after the check, whether it passed or not. */
	close(): Promise<void>;
}

export interface ConformanceCheck {
	readonly name: string;
	run(): Promise<void>;
}

/** All checks: `for (const check of logConformance(open)) it(check.name, check.run)`. */
export function logConformance(open: () => Promise<ConformanceBench>): readonly ConformanceCheck[] {
	return onBenches(checks, open);
}

/** Each check with a bench of its own, which is closed after it. */
export function onBenches<B extends { close(): Promise<void> }>(
	checks: Readonly<Record<string, (bench: B) => Promise<void>>>,
	open: () => Promise<B>,
): readonly ConformanceCheck[] {
	return Object.entries(checks).map(([name, check]) => ({
		name,
		async run() {
			const bench = await open();
			try {
				await check(bench);
			} finally {
				await bench.close();
			}
		},
	}));
}

const utf8 = new TextEncoder();
const patience = 20_000;

const fails = (promise: Promise<unknown>, fault: LogFault): Promise<void> =>
	rejects(promise, (error: unknown) => error instanceof LogError && error.fault === fault);

/** Expects a conflict with exactly these lengths. */
const conflicts = (promise: Promise<unknown>, expected: number, actual: number): Promise<void> =>
	rejects(promise, (error: unknown) => {
		ok(error instanceof LogConflict, `a LogConflict, not ${String(error)}`);
		deepEqual([error.expected, error.actual], [expected, actual]);
		return true;
	});

async function contentOf(log: Log, key: string, from = 0, to?: number): Promise<Uint8Array> {
	const pieces: Uint8Array[] = [];
	for await (const piece of log.read(key, to === undefined ? { from } : { from, to })) pieces.push(piece.slice());
	return new Uint8Array(Buffer.concat(pieces));
}

const textOf = async (log: Log, key: string): Promise<string> =>
	Buffer.from(await contentOf(log, key)).toString('latin1');

/** Makes a log with this content, and releases its writer. */
async function given(log: Log, key: string, content: string | Uint8Array): Promise<void> {
	await using writer = await log.writer(key, { lines: false });
	await writer.append(typeof content === 'string' ? utf8.encode(content) : content);
}

async function nextChange(changes: AsyncIterator<LogChange>): Promise<LogChange> {
	const next = await changes.next();
	ok(!next.done, 'the watch ended before its signal');
	return next.value;
}

/** Bytes that careless layers change: all values, line ends of all kinds, invalid UTF-8. */
const awkward = new Uint8Array([...Array(256).keys(), 13, 10, 0, 0xef, 0xbb, 0xbf, 0xc3, 0x28, 0xed, 0xa0, 0x80, 10]);

const reading: Checks = {
	'a log that was never written has no stat and cannot be read': async ({ log, prefix }) => {
		equal(await log.stat(`${prefix}a`), undefined);
		await fails(contentOf(log, `${prefix}a`), 'missing');
		await fails(log.source(`${prefix}a`), 'missing');
	},

	'bytes come back exactly as they were appended': async ({ log, other, prefix }) => {
		await using writer = await log.writer(`${prefix}a`, { lines: false });
		const first = await writer.append(awkward);
		const second = await writer.append(awkward.toReversed());
		deepEqual(first, { at: 0, end: awkward.length, newline: false, foreign: 0 });
		deepEqual([second.at, second.end, writer.length], [awkward.length, 2 * awkward.length, 2 * awkward.length]);
		deepEqual(await contentOf(other, `${prefix}a`), new Uint8Array([...awkward, ...awkward.toReversed()]));
	},

	'reading in pieces from any offset equals reading once': async ({ log, prefix }) => {
		const content = new Uint8Array(2_500_000);
		for (let at = 0; at < content.length; at++) content[at] = (at * 31 + (at >> 8)) & 0xff;
		const writer = await log.writer(`${prefix}a`, { lines: false });
		for (let at = 0; at < content.length; at += 130_000) await writer.append(content.subarray(at, at + 130_000));
		await writer.release();
		using source = await log.source(`${prefix}a`);
		equal(source.size, content.length);
		for (const from of [0, 1, 129_999, 130_000, 1_048_576, 2_499_999, 2_500_000, 3_000_000]) {
			ok(Buffer.from(content.subarray(from)).equals(await contentOf(log, `${prefix}a`, from)), `from ${from}`);
			const part = Buffer.from(content.subarray(from, from + 300_001));
			ok(part.equals(await contentOf(log, `${prefix}a`, from, from + 300_001)), `from ${from}, a part`);
			ok(part.equals(source.read(from, 300_001)), `source from ${from}`);
		}
	},

	'a source is the log at one moment': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		await writer.append(utf8.encode('one\n'));
		using source = await log.source(`${prefix}a`);
		await writer.append(utf8.encode('two\n'));
		await writer.replace(utf8.encode('xxx\nyyy\nzzz\n'));
		equal(source.size, 4);
		deepEqual(Buffer.from(source.read(0, 100)).toString(), 'one\n');
		equal(source.stat.length, 4);
	},

	'reading ends when its signal says so': async ({ log, prefix }) => {
		await given(log, `${prefix}a`, 'text\n');
		const reading = log.read(`${prefix}a`, { signal: AbortSignal.abort() });
		await rejects(reading[Symbol.asyncIterator]().next(), { name: 'AbortError' });
	},

	'a list has every log under its prefix and no other': async ({ log, prefix }) => {
		for (const name of ['a1', 'a2', 'b1']) await given(log, `${prefix}${name}`, name);
		const found: string[] = [];
		for await (const stat of log.list(`${prefix}a`)) found.push(`${stat.key} ${stat.length}`);
		deepEqual(found.sort(), [`${prefix}a1 2`, `${prefix}a2 2`]);
		const all: string[] = [];
		for await (const stat of log.list(prefix)) all.push(stat.key);
		deepEqual(all.sort(), [`${prefix}a1`, `${prefix}a2`, `${prefix}b1`]);
	},

	'a stat tells appending from replacing': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		await writer.append(utf8.encode('one\n'));
		const first = await log.stat(`${prefix}a`);
		await writer.append(utf8.encode('two\n'));
		const grown = await log.stat(`${prefix}a`);
		const put = await writer.replace(utf8.encode('1234567\n'));
		deepEqual([first?.key, first?.length, grown?.length, put.length], [`${prefix}a`, 4, 8, 8]);
		equal(first?.id, grown?.id);
		notEqual(grown?.id, put.id);
		equal(new Set([first?.version, grown?.version, put.version]).size, 3);
		deepEqual(await log.stat(`${prefix}a`), put);
	},
};

const appending: Checks = {
	'a wrong expectation writes nothing': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		await conflicts(writer.append(utf8.encode('x\n'), { expect: 5 }), 5, 0);
		await writer.append(utf8.encode('one\n'), { expect: 0 });
		await conflicts(writer.append(utf8.encode('x\n'), { expect: 0 }), 0, 4);
		await conflicts(writer.append(utf8.encode('x\n'), { expect: 5 }), 5, 4);
		await conflicts(writer.replace(utf8.encode('x\n'), { expect: 3 }), 3, 4);
		await writer.append(utf8.encode('two\n'), { expect: 4 });
		equal(await textOf(log, `${prefix}a`), 'one\ntwo\n');
	},

	'of appends that expect the same length exactly one is written': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		const tries = [...Array(20).keys()].map((n) => writer.append(utf8.encode(`line ${n}\n`), { expect: 0 }));
		const results = await Promise.allSettled(tries);
		equal(results.filter((result) => result.status === 'fulfilled').length, 1);
		ok(results.every((result) => result.status === 'fulfilled' || result.reason instanceof LogConflict));
		equal(await textOf(log, `${prefix}a`), 'line 0\n');
	},

	'concurrent appends are all there, whole and in order': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		const lines = [...Array(300).keys()].map((n) => `line ${n} ${'x'.repeat(n)}\n`);
		const done = await Promise.all(lines.map((line, n) => writer.append(utf8.encode(line), { durable: n % 3 === 0 })));
		equal(await textOf(log, `${prefix}a`), lines.join(''));
		let at = 0;
		done.forEach((appended, n) => {
			deepEqual([appended.at, appended.end], [at, at + (lines[n] as string).length]);
			at = appended.end;
		});
	},

	'an empty append changes nothing': async ({ log, prefix }) => {
		await given(log, `${prefix}a`, 'torn');
		await using writer = await log.writer(`${prefix}a`);
		deepEqual(await writer.append(new Uint8Array(0)), { at: 4, end: 4, newline: false, foreign: 0 });
		equal(await textOf(log, `${prefix}a`), 'torn');
	},

	'durable appends and syncs are answered': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		await writer.sync();
		await writer.append(utf8.encode('one\n'), { durable: true });
		await Promise.all([writer.append(utf8.encode('two\n')), writer.sync(), writer.sync()]);
		equal(await textOf(log, `${prefix}a`), 'one\ntwo\n');
	},

	'a torn tail is reported and kept, and the next append starts on its own line': async ({ log, prefix }) => {
		const long = 'y'.repeat(200_000);
		for (const [name, content, at] of [
			['a', 'one\n{"two":', 4],
			['b', 'no line end at all', 0],
			['c', `one\r\n${long}`, 5],
		] as const) {
			const key = prefix + name;
			await given(log, key, content);
			await using writer = await log.writer(key);
			deepEqual(writer.torn, { at, length: content.length - at });
			equal(writer.length, content.length);
			const done = await writer.append(utf8.encode('next\n'), { expect: content.length });
			deepEqual(done, { at: content.length + 1, end: content.length + 6, newline: true, foreign: 0 });
			equal((await writer.append(utf8.encode('last\n'))).newline, false);
			equal(await textOf(log, key), `${content}\nnext\nlast\n`);
		}
	},

	'a whole log is not torn': async ({ log, prefix }) => {
		await given(log, `${prefix}a`, 'one\n');
		await using writer = await log.writer(`${prefix}a`);
		await using fresh = await log.writer(`${prefix}b`);
		deepEqual([writer.torn, fresh.torn, fresh.length], [undefined, undefined, 0]);
	},
};

const replacing: Checks = {
	'a replacement is exact, and is gone on from': async ({ log, other, prefix }) => {
		await using writer = await log.writer(`${prefix}a`, { lines: false });
		equal((await writer.replace(utf8.encode('{"new":true}'), { expect: 0 })).length, 12);
		equal((await writer.replace([awkward, new Uint8Array(0), awkward], { expect: 12 })).length, 2 * awkward.length);
		deepEqual(await contentOf(other, `${prefix}a`), new Uint8Array([...awkward, ...awkward]));
		equal((await writer.append(utf8.encode('more'))).at, 2 * awkward.length);
		equal((await writer.replace(new Uint8Array(0))).length, 0);
		equal(await textOf(log, `${prefix}a`), '');
	},

	'a replacement made from another version is refused, even at the same length': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`, { lines: false });
		const first = await writer.replace(utf8.encode('{"a":1}'));
		const second = await writer.replace(utf8.encode('{"a":2}'), { version: first.version });
		await conflicts(writer.replace(utf8.encode('{"a":3}'), { version: first.version }), 7, 7);
		equal(await textOf(log, `${prefix}a`), '{"a":2}');
		await writer.replace(utf8.encode('{"a":3}'), { version: second.version, expect: 7 });
		equal(await textOf(log, `${prefix}a`), '{"a":3}');
	},

	'a replacement that fails half way leaves the log as it was': async ({ log, prefix }) => {
		await given(log, `${prefix}a`, 'old\n');
		await using writer = await log.writer(`${prefix}a`);
		function* broken(): Generator<Uint8Array> {
			yield utf8.encode('new');
			throw new Error('no more');
		}
		await rejects(writer.replace(broken()), /no more/);
		equal(await textOf(log, `${prefix}a`), 'old\n');
		await writer.append(utf8.encode('next\n'), { expect: 4 });
		const all: string[] = [];
		for await (const stat of log.list(prefix)) all.push(stat.key);
		deepEqual(all, [`${prefix}a`]);
	},

	'calls are done in the order they were made': async ({ log, prefix }) => {
		await using writer = await log.writer(`${prefix}a`);
		await Promise.all([
			writer.append(utf8.encode('gone\n')),
			writer.replace(utf8.encode('first\n')),
			writer.append(utf8.encode('second\n'), { durable: true }),
			writer.sync(),
			writer.append(utf8.encode('third\n')),
		]);
		equal(await textOf(log, `${prefix}a`), 'first\nsecond\nthird\n');
	},
};

const leasing: Checks = {
	'a log has one writer, and the other learns who it is': async ({ log, other, prefix }) => {
		const writer = await log.writer(`${prefix}a`);
		for (const door of [log, other]) {
			await rejects(door.writer(`${prefix}a`), (error: unknown) => {
				ok(error instanceof LogHeld, `a LogHeld, not ${String(error)}`);
				equal(error.holder?.pid, process.pid);
				ok(error.message.includes(String(process.pid)), error.message);
				return true;
			});
		}
		await using elsewhere = await other.writer(`${prefix}b`);
		await elsewhere.append(utf8.encode('b\n'));
		await writer.append(utf8.encode('a\n'));
		await writer.release();
		await using next = await other.writer(`${prefix}a`);
		await next.append(utf8.encode('a\n'), { expect: 2 });
	},

	'a released writer has done what it was asked and does no more': async ({ log, prefix }) => {
		const writer = await log.writer(`${prefix}a`);
		const asked = [writer.append(utf8.encode('one\n'), { durable: true }), writer.append(utf8.encode('two\n'))];
		await writer.release();
		await writer.release();
		await Promise.all(asked);
		await fails(writer.append(utf8.encode('x\n')), 'released');
		await fails(writer.replace(utf8.encode('x\n')), 'released');
		await fails(writer.sync(), 'released');
		equal(await textOf(log, `${prefix}a`), 'one\ntwo\n');
	},
};

const watching: Checks = {
	'a watch tells what is new, at once what was new before, and ends with its signal': async ({
		log,
		other,
		prefix,
	}) => {
		await using writer = await log.writer(`${prefix}a`);
		await writer.append(utf8.encode('one\n'));
		const stop = new AbortController();
		const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patience)]);
		const changes = other.watch(`${prefix}a`, 0, signal)[Symbol.asyncIterator]();
		const first = await nextChange(changes);
		deepEqual([first.kind, first.before, first.length], ['grown', 0, 4]);
		const waiting = nextChange(changes);
		await writer.append(utf8.encode('two\n'));
		const second = await waiting;
		deepEqual([second.kind, second.before, second.length, second.stat?.length], ['grown', 4, 8, 8]);
		const replaced = nextChange(changes);
		await writer.replace(utf8.encode('ONE\nTWO\n'));
		const third = await replaced;
		deepEqual([third.kind, third.before, third.length], ['replaced', 8, 8]);
		const longer = nextChange(changes);
		await writer.replace(utf8.encode('ONE\nTWO\nTHREE\n'));
		const fourth = await longer;
		deepEqual([fourth.kind, fourth.before, fourth.length], ['replaced', 8, 14]);
		const end = changes.next();
		stop.abort();
		equal((await end).done, true);
	},

	'a watch from a length that is too long tells that the log is shorter': async ({ log, prefix }) => {
		await given(log, `${prefix}a`, 'one\n');
		const changes = log.watch(`${prefix}a`, 100, AbortSignal.timeout(patience))[Symbol.asyncIterator]();
		const change = await nextChange(changes);
		deepEqual([change.kind, change.before, change.length], ['shrunk', 100, 4]);
		await changes.return?.();
	},

	'a watch waits for a log that does not exist yet': async ({ log, prefix }) => {
		const changes = log.watch(`${prefix}a`, 0, AbortSignal.timeout(patience))[Symbol.asyncIterator]();
		const waiting = nextChange(changes);
		await given(log, `${prefix}a`, 'one\n');
		const change = await waiting;
		deepEqual([change.kind, change.length], ['grown', 4]);
		await changes.return?.();
	},
};

type Checks = { readonly [name: string]: (bench: ConformanceBench) => Promise<void> };
const checks: Checks = { ...reading, ...appending, ...replacing, ...leasing, ...watching };
