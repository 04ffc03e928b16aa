/** Records that programs count differently in Claude Code's files: what each counts here, as the README lists them. */
import { describe, expect, it } from 'vitest';
import type { Folders } from '../../codecs/index.ts';
import { memorySource } from '../../model/index.ts';
import { type Access, collectCosts, type SessionFile } from './collect.ts';
import { loadPrices } from './prices.ts';
import { costReport } from './report.ts';

const prices = loadPrices();
const noFolders: Folders = { list: () => [], head: () => new Uint8Array(0) };

interface Change {
	readonly line?: object;
	readonly message?: object;
	readonly usage?: object;
}

/** One record of a thousand tokens in and a thousand out. */
function record({ line = {}, message = {}, usage = {} }: Change = {}): string {
	return JSON.stringify({
		type: 'assistant',
		uuid: 'u1',
		timestamp: '2026-04-01T10:00:00.000Z',
		requestId: 'req_1',
		version: '2.1.325',
		...line,
		message: {
			id: 'msg_1',
			model: 'claude-sonnet-4-5',
			content: [{ type: 'text', text: 'words' }],
			stop_reason: 'end_turn',
			usage: { input_tokens: 1000, output_tokens: 1000, ...usage },
			...message,
		},
	});
}

/** The cost of files with these records; those after the first are sub-agents'. */
function costOf(...texts: readonly (string | Uint8Array)[]) {
	const files = texts.map((text, number) => ({
		path: `/${number}.jsonl`,
		bytes: Buffer.from(text),
		session: number === 0 ? { id: 's' } : { id: `a${number}`, parent: 's' },
	}));
	const access: Access = {
		folders: noFolders,
		open(path) {
			const bytes = files.find((file) => file.path === path)?.bytes ?? Buffer.alloc(0);
			return { ...memorySource(bytes), [Symbol.dispose]: () => undefined };
		},
	};
	const list: SessionFile[] = files.map(({ path, session }) => ({
		path,
		agent: 'claude-code',
		format: 'claude-code',
		...session,
	}));
	const { totals } = costReport(collectCosts(list, access), prices, { by: 'day' });
	return [totals.inputTokens, totals.outputTokens, totals.costUsd];
}

const once = [1000, 1000, 0.018];
const sideways = (requestId: string) => record({ line: { isSidechain: true, agentId: 'a', requestId } });
const withByte = (text: string, byte: number) => {
	const bytes = Buffer.from(text);
	bytes[bytes.indexOf('words')] = byte;
	return bytes;
};

it.each([
	['without a time', record({ line: { timestamp: undefined } }), once],
	['with a time that is none', record({ line: { timestamp: 'yesterday' } }), once],
	['with a version that is none', record({ line: { version: 'dev' } }), once],
	['behind a byte order mark', `\ufeff${record()}`, once],
	['with a byte that is not UTF-8 in its text', withByte(record(), 0xff), once],
	['with an escape in its text that JSON does not know', record().replace('words', 'w\\qrds'), once],
	['with a key that is written with an escape', record().replace('"usage"', '"us\\u0061ge"'), once],
	['with a count that is a text', record({ usage: { input_tokens: '10' } }), [0, 1000, 0.015]],
	['with a count that is negative', record({ usage: { input_tokens: -5 } }), [0, 1000, 0.015]],
	[
		'without an id, in two copies of its line',
		`${record({ message: { id: undefined } })}\n${record({ message: { id: undefined } })}`,
		once,
	],
	['of a failed request', `${record({ line: { isApiErrorMessage: true }, message: { id: 'e' } })}\n${record()}`, once],
	['that the client made up', `${record({ message: { id: 'e', model: '<synthetic>' } })}\n${record()}`, once],
	['without a type', record({ line: { type: undefined } }), [0, 0, 0]],
	['of a model that nobody knows', record({ message: { model: 'x' } }), [1000, 1000, null]],
	['of no model', record({ message: { model: undefined } }), [1000, 1000, null]],
	[
		'of a request beyond a threshold, all of it at the higher price',
		record({ usage: { input_tokens: 300_000 } }),
		[300_000, 1000, 1.8225],
	],
	[
		'of the fast mode, at its price',
		record({ message: { model: 'claude-opus-4-6' }, usage: { speed: 'fast' } }),
		[1000, 1000, 0.18],
	],
	[
		'of the fast mode of a model whose price for it is not known',
		record({ message: { model: 'claude-haiku-4-5' }, usage: { speed: 'fast' } }),
		[1000, 1000, null],
	],
	['with no request, beside one with one', `${record({ line: { requestId: undefined } })}\n${record()}`, once],
	['of two requests under one id', `${record()}\n${record({ line: { requestId: 'req_2' } })}`, [2000, 2000, 0.036]],
])('a record %s', (_, text, expected) => {
	expect(costOf(text)).toEqual(expected);
});

it('a reply that sidechains tell again under other requests counts once, in any order of files', () => {
	const files = [record(), sideways('req_2'), sideways('req_3')];
	for (const order of [files, files.toReversed(), [files[1], files[0], files[2]]]) {
		expect(costOf(...order.filter((text) => text !== undefined))).toEqual(once);
	}
	expect(costOf(record(), record({ line: { isSidechain: true }, message: { id: 'msg_2' } }))).toEqual([
		2000, 2000, 0.036,
	]);
});

it('a reply without an id that was copied into another file counts once', () => {
	const text = record({ message: { id: undefined } });
	expect(costOf(text, text)).toEqual(once);
});

describe('a reply of a sub-agent that a progress line of its session tells', () => {
	const reply = (change: Change = {}) =>
		record({ ...change, line: { requestId: 'req_7', ...change.line }, message: { id: 'msg_7', ...change.message } });
	const progress = (told: string) =>
		JSON.stringify({ type: 'progress', uuid: 'p1', data: { type: 'agent_progress', message: JSON.parse(told) } });
	const own = reply({ line: { isSidechain: true } });
	const twice = [2000, 2000, 0.036];

	it('counts where the sub-agent’s own file is gone, however often it is told', () => {
		expect(costOf(`${record()}\n${progress(reply())}`)).toEqual(twice);
		expect(costOf(`${progress(reply())}\n${record()}\n${progress(reply())}`)).toEqual(twice);
	});

	it('counts once beside that file, with the output that was final', () => {
		const begun = progress(reply({ message: { stop_reason: null }, usage: { output_tokens: 5 } }));
		for (const told of [progress(reply()), begun]) {
			expect(costOf(`${record()}\n${told}`, own)).toEqual(twice);
			expect(costOf(own, `${record()}\n${told}`)).toEqual(twice);
		}
	});

	it('is left out without an id, by which alone it is known, and where no model replied', () => {
		const others = [
			reply({ message: { id: undefined } }),
			reply({ line: { isApiErrorMessage: true } }),
			reply({ message: { model: '<synthetic>' } }),
			reply({ line: { type: 'user' } }),
		];
		for (const told of others) expect(costOf(`${record()}\n${progress(told)}`)).toEqual(once);
	});
});
