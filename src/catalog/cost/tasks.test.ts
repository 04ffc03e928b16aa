/** Tasks of the VS Code extension: usage is recorded beside the messages, and counts once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskAccess } from '../../../test/support/catalog.ts';
import { Catalog } from '../index/catalog.ts';
import { collectCosts, type SessionFile } from './collect.ts';
import { loadPrices } from './prices.ts';
import { costReport } from './report.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-tasks-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const prices = loadPrices();

const note = (ts: number, say: string, counts: object) => ({ ts, type: 'say', say, text: JSON.stringify(counts) });
const notes = [
	{ ts: 1_770_000_000_000, type: 'say', say: 'task', text: 'paint the shed' },
	note(1_770_000_001_000, 'api_req_started', {
		request: 'paint "api_req_started"',
		tokensIn: 10,
		tokensOut: 20,
		cacheReads: 300,
		cacheWrites: 40,
		cost: 0.25,
	}),
	{ ts: 1_770_000_002_000, type: 'say', say: 'text', text: '{"tokensIn":99}' },
	note(1_770_000_003_000, 'api_req_started', { request: 'x', tokensIn: 1, tokensOut: 2, cost: 0.125 }),
	note(1_770_000_004_000, 'api_req_started', { request: 'x', cancelReason: 'streaming_failed' }),
	note(1_770_000_005_000, 'deleted_api_reqs', { tokensIn: 100, tokensOut: 200, cost: 0.5 }),
	note(1_770_000_006_000, 'subagent_usage', { source: 'subagents', tokensIn: 1000, tokensOut: 2000, cost: 1 }),
	{ ts: 1_770_000_007_000, type: 'say', say: 'api_req_started', text: '{"tokensIn":5,' },
];
const messages = [
	{ role: 'user', content: [{ type: 'text', text: '<task>\npaint the shed\n</task>' }] },
	{
		role: 'assistant',
		content: [{ type: 'text', text: 'painted' }],
		modelInfo: { modelId: 'claude-sonnet-4-5', providerId: 'anthropic' },
		metrics: { tokens: { prompt: 7, completion: 8, cached: 0 }, cost: 0.0625 },
	},
];

function writeTask(name: string, shown: readonly object[] | undefined): SessionFile {
	const folder = join(scratch, name, 'tasks', '1770000000000');
	mkdirSync(folder, { recursive: true });
	const path = join(folder, 'api_conversation_history.json');
	writeFileSync(path, JSON.stringify(messages));
	if (shown) writeFileSync(join(folder, 'ui_messages.json'), JSON.stringify(shown));
	return { path, id: '1770000000000', agent: 'cline', format: 'cline' };
}

function report(sessions: readonly SessionFile[]) {
	return costReport(collectCosts(sessions, diskAccess, { explain: true }), prices, { by: 'session', explain: true });
}

const truth = {
	responses: 2,
	inputTokens: 1111,
	outputTokens: 2222,
	cacheReadTokens: 300,
	cacheWriteTokens: 40,
	costUsd: 1.875,
};

describe('a task of the VS Code extension', () => {
	it('costs what the notes about its requests say, and its messages are not counted again', () => {
		const task = writeTask('notes', notes);
		const { totals, counted = [], excluded = [] } = report([task]);
		expect(totals).toMatchObject(truth);
		expect(counted).toHaveLength(4);
		expect(counted.every(({ path }) => path.endsWith('ui_messages.json'))).toBe(true);
		expect(excluded.map(({ reason, line }) => [reason, line])).toEqual([['error', 5]]);
	});

	it('costs the same when it is there twice', () => {
		const tasks = [writeTask('first', notes), writeTask('copy', notes)];
		expect(report(tasks).totals).toMatchObject(truth);
		expect(report(tasks.toReversed()).totals).toMatchObject(truth);
	});

	it('costs what its messages say where nothing is told beside them', () => {
		const own = { responses: 1, inputTokens: 7, outputTokens: 8, costUsd: 0.0625 };
		expect(report([writeTask('alone', undefined)]).totals).toMatchObject(own);
		expect(report([writeTask('silent', notes.slice(0, 1))]).totals).toMatchObject(own);
	});

	it('costs the same in the catalog, which notices when the notes change', () => {
		const task = writeTask('catalog', notes);
		using catalog = new Catalog({ path: ':memory:', access: diskAccess, warn: (message) => expect.fail(message) });
		catalog.index([task], prices);
		expect(catalog.list([task])).toMatchObject([{ costUsd: truth.costUsd, turns: 1 }]);
		writeTask('catalog', [...notes, note(1_770_000_008_000, 'api_req_started', { tokensOut: 1, cost: 0.125 })]);
		expect(catalog.list([task])).toMatchObject([{ costUsd: null }]);
		catalog.index([task], prices);
		expect(catalog.list([task])).toMatchObject([{ costUsd: 2 }]);
	});
});
