/** Costs: equal to the truth, whatever copies, forks and damage surround it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CorpusFile, corpusFiles, corpusRoot } from '../../../test/support/corpus.ts';
import {
	compactedOf,
	copyOf,
	forkOf,
	type MadeFile,
	type MadeReply,
	makeSession,
	syncedOf,
} from '../../../test/support/costs.ts';
import { codecOf, decodeBytes, type Folders } from '../../codecs/index.ts';
import { addUsage, type FormatId, memorySource, noUsage, responses, type Usage } from '../../model/index.ts';
import { type Access, collectCosts, type SessionFile } from './collect.ts';
import { loadPrices } from './prices.ts';
import { costReport, type Grouping } from './report.ts';

const prices = loadPrices();
const noFolders: Folders = { list: () => [], head: () => new Uint8Array(0) };

function memoryAccess(files: ReadonlyMap<string, Uint8Array>): Access {
	return {
		folders: noFolders,
		open(path) {
			const bytes = files.get(path);
			if (bytes === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
			return { ...memorySource(bytes), [Symbol.dispose]: () => undefined };
		},
	};
}

function reportOn(made: readonly MadeFile[], by: Grouping = 'session', explain = false) {
	const bytes = new Map(made.map((file) => [file.path, Buffer.from(file.text)]));
	return costReport(collectCosts(made, memoryAccess(bytes), { explain }), prices, { by, explain });
}

/** The sum over distinct replies, by the rules of each format. */
function truth(format: FormatId, made: readonly MadeFile[]) {
	const distinct = new Map<string, MadeReply>();
	for (const file of made) for (const reply of file.replies) distinct.set(reply.id, reply);
	let usage: Usage = noUsage;
	let costUsd = 0;
	for (const reply of distinct.values()) {
		if (format !== 'clido') usage = addUsage(usage, reply.usage);
		costUsd +=
			format === 'claude-code' ? (prices.cost(reply.usage, reply.model, 'anthropic', reply.time) ?? 0) : reply.costUsd;
	}
	return {
		responses: distinct.size,
		inputTokens: usage.input,
		outputTokens: usage.output,
		cacheReadTokens: usage.cacheRead,
		cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h,
		costUsd: expect.closeTo(costUsd, 8),
		unpricedTokens: 0,
	};
}

const count = fc.nat(300_000);
const usage = fc.record({ input: count, output: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count });

let next = 0;
const reply: fc.Arbitrary<MadeReply> = fc
	.record({
		model: fc.constantFrom('claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-5-20251101'),
		usage,
		lines: fc.integer({ min: 1, max: 4 }),
		cents: fc.integer({ min: 1, max: 5000 }),
	})
	.map(({ cents, ...rest }) => {
		next += 1;
		return {
			...rest,
			id: `${next.toString(36).padStart(8, '0')}aaaaaaaaaaaa`,
			costUsd: cents / 10_000,
			time: 1_770_000_000_000 + next * 1000,
		};
	});

const replies = fc.array(reply, { minLength: 1, maxLength: 6 });
const formats = ['claude-code', 'cline', 'clido', 'openclaw'] as const satisfies readonly FormatId[];

/** What happens to a set of sessions. */
interface Happening {
	readonly what: 'fork' | 'copy' | 'resume' | 'compact' | 'sync';
	readonly which: number;
	readonly cut: number;
	readonly added: readonly MadeReply[];
}

const happening: fc.Arbitrary<Happening> = fc.record({
	what: fc.constantFrom('fork', 'copy', 'resume', 'compact', 'sync'),
	which: fc.nat(50),
	cut: fc.nat(50),
	added: fc.array(reply, { maxLength: 3 }),
});

function happen(files: MadeFile[], { what, which, cut, added }: Happening, index: number): void {
	const place = which % files.length;
	const from = files[place] as MadeFile;
	const at = what === 'resume' ? from.cuts.length - 1 : cut % from.cuts.length;
	if (what === 'copy') files.push(copyOf(from, `/backup${index}`));
	else if (what === 'compact') files[place] = compactedOf(from);
	else if (what === 'sync') files.push(syncedOf(from, at, `/machine${index}`));
	else files.push(forkOf(from, at, `later${index}`, added));
}

describe('the cost of generated sessions', () => {
	for (const format of formats) {
		it(`${format}: equals the truth under forks, copies, resumes, compactions and synchronisation, in any order of files`, () => {
			fc.assert(
				fc.property(replies, fc.array(happening, { maxLength: 5 }), fc.boolean(), (first, later, backwards) => {
					const files = [makeSession(format, 'original', first)];
					for (const [index, one] of later.entries()) happen(files, one, index);
					const order = backwards ? files.toReversed() : files;
					expect(reportOn(order).totals).toMatchObject(truth(format, files));
				}),
				{ numRuns: 60 },
			);
		});
	}

	it('a response belongs to the session that wrote it first', () => {
		const [a, b, c] = fc.sample(reply, 3) as [MadeReply, MadeReply, MadeReply];
		for (const format of ['claude-code', 'openclaw', 'cline'] as const) {
			const original = makeSession(format, 'b-original', [a, b]);
			const fork = forkOf(original, 0, 'c-fork', [c]);
			const rows = new Map(reportOn([fork, original]).rows.map((row) => [row.key, row.responses]));
			expect(rows).toEqual(
				new Map([
					['b-original', 2],
					['c-fork', 1],
				]),
			);
		}
	});

	it('the first is the earliest by time, whatever the files are called and in whichever order they are read', () => {
		const [told] = fc.sample(reply, 1) as [MadeReply];
		const original = makeSession('claude-code', 'z-original', [told]);
		const copy = makeSession('claude-code', 'a-copy', [{ ...told, time: told.time + 86_400_000 }]);
		for (const files of [
			[original, copy],
			[copy, original],
		]) {
			expect(reportOn(files).rows.map((row) => [row.key, row.responses])).toEqual([['z-original', 1]]);
		}
	});

	it('a sub-agent’s file counts for the session that started it', () => {
		const [a, b] = fc.sample(reply, 2) as [MadeReply, MadeReply];
		const main = makeSession('claude-code', 'main', [a]);
		const agent = { ...makeSession('claude-code', 'a1', [a, b]), parent: 'main' };
		const { rows, excluded = [] } = reportOn([main, agent], 'session', true);
		expect(rows.map((row) => [row.key, row.responses])).toEqual([['main', 2]]);
		expect(excluded.filter((record) => record.reason === 'subagent-copy').length).toBe(a.lines);
	});

	it('totals of a process that goes on are not added up', () => {
		const result = (cost: number, turns: number) =>
			JSON.stringify({
				type: 'result',
				exit_status: 'completed',
				total_cost_usd: cost,
				num_turns: turns,
				duration_ms: turns,
			});
		const text = [
			JSON.stringify({
				type: 'meta',
				session_id: 's',
				schema_version: 1,
				start_time: '2026-01-01T00:00:00Z',
				project_path: '/p',
			}),
			result(0.1, 1),
			result(0.25, 2),
			result(0.05, 1),
			result(0.07, 2),
		].join('\n');
		const file: MadeFile = { ...makeSession('clido', 's', []), text };
		expect(reportOn([file]).totals.costUsd).toBe(0.32);
	});

	it('a model without a price is unpriced with its tokens, never zero', () => {
		const [known, unknown] = fc.sample(reply, 2) as [MadeReply, MadeReply];
		const strange = { ...unknown, model: 'nobody-knows-this', usage: { ...noUsage, input: 10, output: 5 } };
		const alone = reportOn([makeSession('claude-code', 's', [strange])]).totals;
		expect(alone).toMatchObject({ costUsd: null, unpricedTokens: 15, inputTokens: 10, outputTokens: 5 });
		const both = reportOn([
			makeSession('claude-code', 's', [{ ...known, usage: { ...noUsage, output: 1_000_000 } }, strange]),
		]).totals;
		expect(both.costUsd).toBeGreaterThan(0);
		expect(both.unpricedTokens).toBe(15);
	});

	it('an output that was only counted at its beginning is told apart, and one final record is enough', () => {
		const told = (stops: readonly (string | null)[]) => {
			const lines = stops.map((stop_reason, index) => {
				const message = {
					id: 'm',
					model: 'claude-haiku-4-5',
					stop_reason,
					usage: { input_tokens: 9, output_tokens: 1 },
				};
				return `${JSON.stringify({ type: 'assistant', uuid: `u${index}`, requestId: 'r', version: '2.1.29', message })}\n`;
			});
			const file: MadeFile = { ...makeSession('claude-code', 's', []), text: lines.join('') };
			return reportOn([file], 'day', true).counted?.map(({ output }) => output);
		};
		expect([told([null]), told([null, null]), told([null, 'end_turn']), told(['tool_use', null])]).toEqual([
			['started'],
			['started'],
			['final'],
			['final'],
		]);
	});

	it('every record of a response is either counted or left out with a reason', () => {
		fc.assert(
			fc.property(replies, (made) => {
				const original = makeSession('claude-code', 'one', made);
				const fork = forkOf(original, original.cuts.length - 1, 'two', []);
				const { counted = [], excluded = [] } = reportOn([original, fork], 'day', true);
				const told = original.text
					.split('\n')
					.filter((text) => text.includes('"type":"assistant"') && text.endsWith('}}')).length;
				expect(counted.length).toBe(made.length);
				expect(counted.length + excluded.length).toBe(told * 2);
				expect(excluded.filter((record) => record.reason === 'copy').every((record) => record.of === 'one')).toBe(true);
			}),
			{ numRuns: 20 },
		);
	});
});

describe('the cost of the corpus', () => {
	it('a home with forks, sub-agents, damage and a compaction costs what its maker says', () => {
		const home = join(corpusRoot, 'claude-code/generated/mixed-home-a');
		const expected = JSON.parse(readFileSync(join(home, 'expected.totals.json'), 'utf8')) as { [name: string]: number };
		const files = corpusFiles('claude-code').filter((file) => file.scenario === 'mixed-home-a');
		const { totals } = costReport(collectCorpus(files), prices, { by: 'day' });
		expect(totals).toMatchObject({
			responses: expected.apiCalls,
			inputTokens: expected.input,
			outputTokens: expected.output,
			cacheReadTokens: expected.cacheRead,
			cacheWriteTokens: expected.cacheWrite,
			costUsd: expect.closeTo(expected.cost as number, 9),
			unpricedTokens: 0,
		});
	});

	for (const format of formats) {
		it(`${format}: scanning each file counts what decoding it counts`, () => {
			for (const file of corpusFiles(format)) {
				const { totals } = costReport(collectCorpus([file]), prices, { by: 'day' });
				expect({ file: file.name, ...pick(totals) }).toEqual({ file: file.name, ...decoded(file) });
			}
		});
	}
});

function collectCorpus(files: readonly CorpusFile[]) {
	const bytes = new Map(files.map((file) => [file.path, file.bytes()]));
	const list: SessionFile[] = files.map((file) => ({
		path: file.path,
		id: file.path,
		agent: file.format,
		format: file.format,
	}));
	return collectCosts(list, memoryAccess(bytes));
}

const pick = ({
	responses: n,
	inputTokens,
	outputTokens,
	cacheReadTokens,
	cacheWriteTokens,
}: ReturnType<typeof costReport>['totals']) => ({
	responses: n,
	inputTokens,
	outputTokens,
	cacheReadTokens,
	cacheWriteTokens,
});

/** The counts from decoded entries, which is slower. */
function decoded(file: CorpusFile) {
	const codec = codecOf(file.format);
	if (!codec) throw new Error(`no codec for ${file.format}`);
	const { entries } = decodeBytes(codec, file.bytes());
	const failed = (error: string | undefined, stop: string | undefined) =>
		file.format === 'openclaw' ? stop === 'error' : error !== undefined;
	const list = responses(
		entries.filter((entry) => !(entry.kind === 'message' && failed(entry.response?.error, entry.response?.stop))),
	);
	let sum: Usage = noUsage;
	for (const one of list) sum = addUsage(sum, one.usage);
	for (const entry of entries)
		if (entry.kind === 'event' && entry.event.type === 'usage') sum = addUsage(sum, entry.event.usage);
	const replies =
		file.format === 'clido'
			? entries.filter((entry) => entry.kind === 'message' && entry.role === 'assistant').length
			: list.length;
	return {
		responses: replies,
		inputTokens: sum.input,
		outputTokens: sum.output,
		cacheReadTokens: sum.cacheRead,
		cacheWriteTokens: sum.cacheWrite5m + sum.cacheWrite1h,
	};
}
