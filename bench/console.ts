/** The console: what it costs while a reply streams and while nothing happens, what it keeps, and how soon it is there. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Terminal } from '@earendil-works/pi-tui';
import type { AgentEvent } from '../src/agent/events.ts';
import { Controller } from '../src/console/controller.ts';
import { Shell } from '../src/console/shell/shell.ts';
import { darkTheme } from '../src/console/theme.ts';
import type { AssistantMessage } from '../src/model/index.ts';
import { reactions } from './console-reactions.ts';
import type { Benchmark, Variant } from './lib/bench.ts';
import { OnTerminal } from './lib/on-terminal.ts';
import { median } from './lib/table.ts';

/** What models write: paragraphs and lists, now and then code or a table; about 30 KB. */
const part = (at: number): string => `## Step ${at}

The reader keeps every byte of the file, and **nothing** is guessed: a record that cannot be parsed is kept as it was found, with a flaw
that says where and why. Part ${at} of the answer explains how \`detect\` finds out whose session it is.

- the first record that any codec claims decides
- claims are disjoint, so that at most one of them can match
- what nobody claims is told as such, and no codec is asked a second time

${at % 3 === 0 ? code(at) : at % 3 === 1 ? table(at) : 'Nothing else is needed for that.'}
`;

const code = (at: number): string => `\`\`\`ts
export function detect(records: readonly Row[]): Format | undefined {
	for (const record of records) {
		const found = codecs.find(({ claims }) => claims(record));
		if (found) return found.format;
	}
	return undefined; // ${at}
}
\`\`\``;

const table = (at: number): string => `| format | records | claims |
|---|--:|---|
| claude-code | ${at * 7} | a uuid and a session id |
| openclaw | ${at * 3} | a header with a version |`;

const text = Array.from({ length: 48 }, (_, at) => part(at)).join('\n');
/** The grammar of a language is compiled once, which takes half a second: that is not what is measured. */
const streamed = [{ text: `Warm.\n\n${code(0)}\n\nReady.` }, { text, chunk: 5, chunkDelayMs: 1 }];
const ready = Buffer.from('❯').toString('latin1');
/** The title of the row that is shown while a reply is written. */
const busy = 'esc to interrupt';

interface Streamed {
	readonly percent: number;
	readonly times: number;
	readonly dropped: number;
}

/** Types all the while, ten keys a second, and sends what was typed afterwards: then it is in the session. */
async function stream(): Promise<Streamed> {
	using terminal = new OnTerminal(streamed);
	await terminal.shows('lists the keys');
	terminal.type('begin\r');
	await terminal.shows('Ready.');
	await sleep(1000);
	terminal.type('go\r');
	await terminal.shows(busy);
	const [cpu, bytes, since] = [terminal.cpu, terminal.bytes, performance.now()];
	let typed = '';
	const keys = setInterval(() => {
		const key = String.fromCharCode(97 + (typed.length % 26));
		typed += key;
		terminal.type(key);
	}, 100);
	await sleep(((text.length / 5) * 1.1 + 500) | 0);
	clearInterval(keys);
	while (terminal.sessions.split('"stop_reason":"end_turn"').length < 3) await sleep(50);
	const percent = ((terminal.cpu - cpu) / (performance.now() - since)) * 100;
	const times = (terminal.bytes - bytes) / Buffer.byteLength(text);
	terminal.type('\r');
	while (!terminal.sessions.includes(typed.slice(-5))) await sleep(50);
	const dropped = terminal.sessions.includes(`"${typed}"`) ? 0 : typed.length;
	terminal.type('/exit\r');
	await terminal.left();
	return { percent, times, dropped };
}

const streaming = (name: string, what: keyof Streamed, amount: number, unit: string): Variant => {
	let seen: Streamed | undefined;
	return {
		name,
		inChildren: true,
		goal: { atMost: { amount, unit } },
		async run() {
			seen = await stream();
			return undefined;
		},
		amount: () => seen?.[what] ?? Number.NaN,
	};
};

const idle = (name: string, unit: string, amount: number, read: (terminal: OnTerminal) => number): Variant => {
	let used = Number.NaN;
	return {
		name,
		goal: { atMost: { amount, unit } },
		async run() {
			using terminal = new OnTerminal([]);
			await terminal.shows('lists the keys');
			await sleep(1500);
			const before = read(terminal);
			await sleep(3000);
			used = (read(terminal) - before) / 3;
			return undefined;
		},
		amount: () => used,
	};
};

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const message: AssistantMessage = {
	...{ role: 'assistant', content: [], api: 'a', provider: 'p', model: 'm', stopReason: 'stop', timestamp: 1 },
	usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
};

function* turn(at: number): Generator<AgentEvent> {
	const said = part(at);
	const update = { type: 'message_update', message } as const;
	yield { type: 'message_start', message };
	yield { ...update, assistantMessageEvent: { type: 'text_start', contentIndex: 0, partial: message } };
	const delta = { type: 'text_delta', contentIndex: 0, delta: said, partial: message } as const;
	yield { ...update, assistantMessageEvent: delta };
	yield { type: 'message_end', message: { ...message, content: [{ type: 'text', text: said }] } };
	const call = { toolCallId: String(at), toolName: 'Bash' };
	yield { type: 'tool_execution_start', ...call, args: { command: 'npm test' } };
	const result = { content: [{ type: 'text', text: 'ok\n'.repeat(200) }] };
	yield { type: 'tool_execution_end', ...call, result, isError: false };
}

/** A terminal that nobody looks at. */
function nowhere(): Terminal {
	const nothing = (): void => undefined;
	return {
		...{
			columns: 100,
			rows: 36,
			kittyProtocolActive: false,
			modifyOtherKeysActive: false,
			drainInput: async () => undefined,
		},
		...{ start: nothing, stop: nothing, write: nothing, moveBy: nothing, hideCursor: nothing, showCursor: nothing },
		...{ clearLine: nothing, clearFromCursor: nothing, clearScreen: nothing, setTitle: nothing, setProgress: nothing },
	};
}

/** Millions of bytes that are still held after so many turns. */
function kept(turns: number, goal?: Variant['goal']): Variant {
	let held = Number.NaN;
	return {
		name: `${turns.toLocaleString('en-US')} turns`,
		...(goal && { goal }),
		async run() {
			const controller = new Controller({ theme: darkTheme });
			const options = { terminal: nowhere(), theme: () => darkTheme, face: controller.face };
			const shell = new Shell({ ...options, key: () => false, submitted: () => undefined, changed: () => undefined });
			shell.start();
			controller.drawOn(shell);
			for (let at = 0; at < turns; at += 1) {
				controller.dispatch({ type: 'prompt', text: `Prompt ${at}` });
				for (const event of turn(at)) controller.dispatch({ type: 'event', event });
				if (at % 50 === 0) await sleep(45);
			}
			await sleep(100);
			setFlagsFromString('--expose-gc');
			(runInNewContext('gc') as () => void)();
			held = process.memoryUsage().heapUsed / 1e6;
			shell.stop();
			return undefined;
		},
		amount: () => held,
	};
}

const starts = 5;
const library = join(import.meta.dirname, 'lib/only-library.js');

/** The first start of all compiles everything, so that the median counts. */
function start(name: string, wanted: string, instead?: string, goal?: Variant['goal']): Variant {
	const times: number[] = [];
	return {
		name,
		inChildren: true,
		...(goal && { goal }),
		async run() {
			for (let i = 0; i < starts; i += 1) {
				const since = performance.now();
				using terminal = new OnTerminal([], instead);
				await terminal.shows(wanted);
				times.push(performance.now() - since);
				terminal.end();
				await terminal.left();
			}
			return undefined;
		},
		amount: () => median(times),
	};
}

export const benchmark: Benchmark = {
	title: 'Console',
	about: `The console on a terminal of 100 × 36: a scripted reply of ${Math.round(text.length / 1000)} KB in 1,000 deltas a second, with ten keys a second typed meanwhile; an idle one; its memory after many turns; how soon it reacts (medians of 3); ${starts} starts until the line of input is drawn. The process that is measured plays the script and writes the session, too.`,
	groups: [
		{
			title: 'Streaming',
			variants: [
				streaming('CPU', 'percent', 15, '% of a core'),
				streaming('bytes', 'times', 2, '× the text'),
				streaming('keys', 'dropped', 0, 'key strokes dropped'),
			],
		},
		{
			title: 'Idle',
			variants: [
				idle('CPU', 'ms a second', 3, ({ cpu }) => cpu),
				idle('bytes', 'bytes a second', 0, ({ bytes }) => bytes),
			],
		},
		{
			title: 'Memory',
			variants: [kept(1000), kept(10_000, { amount: { ratio: 1.1, unit: 'MB held' } })],
		},
		{ title: 'Reactions', variants: reactions },
		{
			title: 'Start to first paint',
			variants: [
				start('import of pi-tui alone', 'loaded', library),
				start('reprise, until the line of input is drawn', ready, undefined, { amount: { ratio: 2, unit: 'ms' } }),
			],
		},
	],
};
