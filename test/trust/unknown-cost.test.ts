/** A cost that nobody knows is never shown as nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

/** One reply by this model; without tokens where the client has recorded none. */
function session(id: string, model: string, usage: object | undefined, cwd = stage.cwd): void {
	const folder = join(stage.home, '.claude/projects/p');
	mkdirSync(folder, { recursive: true });
	const base = { sessionId: id, cwd, timestamp: '2026-03-02T09:00:00.000Z' };
	const prompt = { role: 'user', content: `Ask ${model} about a very long story that does not fit into narrow places` };
	const reply = {
		id: `msg_${id}`,
		type: 'message',
		role: 'assistant',
		model,
		content: [{ type: 'text', text: 'yes' }],
	};
	const lines = [
		{ ...base, type: 'user', uuid: `${id}-1`, parentUuid: null, message: prompt },
		{
			...base,
			type: 'assistant',
			uuid: `${id}-2`,
			parentUuid: `${id}-1`,
			requestId: `req_${id}`,
			message: { ...reply, stop_reason: 'end_turn', ...(usage ? { usage } : {}) },
		},
	];
	writeFileSync(join(folder, `${id}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

const tokens = { input_tokens: 1000, output_tokens: 2000 };

beforeAll(() => {
	session('aaaaaaaa-0000-4000-8000-000000000001', 'claude-sonnet-4-5', tokens);
	session('bbbbbbbb-0000-4000-8000-000000000002', 'nobody-knows-1', tokens);
	// Clido does not record tokens of its replies.
	const folder = join(stage.home, '.local/share/clido/sessions/_');
	mkdirSync(folder, { recursive: true });
	const clido = [
		{ type: 'meta', session_id: 'c1', schema_version: 1, start_time: '2026-03-02T09:00:00Z', project_path: stage.cwd },
		{ type: 'user_message', role: 'user', content: [{ type: 'text', text: 'paint the shed' }] },
		{ type: 'assistant_message', content: [{ type: 'text', text: 'painted' }] },
	];
	writeFileSync(join(folder, 'c1.jsonl'), `${clido.map((line) => JSON.stringify(line)).join('\n')}\n`);
});

interface Rows {
	readonly totals: { readonly costUsd: number | null };
	readonly rows: readonly { readonly key: string; readonly costUsd: number | null; readonly title?: string }[];
}

async function json<T>(...args: readonly string[]): Promise<T> {
	return JSON.parse((await stage.run([...args, '--json'])).out) as T;
}

describe('unknown cost', () => {
	it('is null in the documents of cost, ls and stats, and what is known is still there', async () => {
		const { totals, rows } = await json<Rows>('cost', '--by', 'session');
		expect(totals.costUsd).toBe(0.033);
		expect(Object.fromEntries(rows.map((row) => [row.key.slice(0, 2), row.costUsd]))).toEqual({
			aa: 0.033,
			bb: null,
			c1: null,
		});
		expect((await json<Rows>('cost', '--agent', 'clido')).totals.costUsd).toBeNull();
		const { sessions } = await json<{ sessions: { id: string; costUsd: number | null }[] }>('ls', '--count');
		expect(Object.fromEntries(sessions.map(({ id, costUsd }) => [id.slice(0, 2), costUsd]))).toEqual({
			aa: 0.033,
			bb: null,
			c1: null,
		});
		const stats = await json<Rows>('stats', '--by', 'agent');
		expect(stats.rows.find((row) => row.key === 'clido')?.costUsd).toBeNull();
	});

	it('is a dash in every table, and the total says that it is not all', async () => {
		const { out } = await stage.run(['cost', '--by', 'agent'], { env: { COLUMNS: '100' } });
		expect(out).toMatch(/^clido +– +1 +– +– +– +–$/m);
		expect(out).toMatch(/^total +\$0\.03\+ /m);
		expect(out).toContain('–: the cost is unknown. The total leaves it out.');
		expect(out).toContain('3,000 tokens belong to models without a known price and are not included.');
		const listed = (await stage.run(['ls'])).out;
		expect(listed).toMatch(/clido +c1 +1 +– /);
		expect(listed).not.toContain('$0.00');
		expect((await stage.run(['stats', '--by', 'agent'])).out).toMatch(/clido\n(?:.*\n)*? +cost +–/);
	});
});

describe('what the total leaves out', () => {
	it('is said in words that a stranger understands', async () => {
		const { out } = await stage.run(['cost']);
		expect(out).toContain('3,000 tokens belong to models without a known price and are not included.');
		expect(out).not.toContain('dollars');
	});
});

describe('the table of cost', () => {
	it.each(['day', 'session', 'model', 'agent', 'project'])('fits forty columns by %s', async (by) => {
		const { out } = await stage.run(['cost', '--by', by], { env: { COLUMNS: '40' } });
		for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(40);
		expect(out).toContain('$0.03');
	});

	it('names sessions by their titles', async () => {
		const { out } = await stage.run(['cost', '--by', 'session'], { env: { COLUMNS: '80' } });
		expect(out).toMatch(/^aaaaaaaa {2}Ask claude-sonnet/m);
		expect(out).toMatch(/^c1 +paint the shed/m);
		const { rows } = await json<Rows>('cost', '--by', 'session');
		expect(rows.find((row) => row.key === 'c1')?.title).toBe('paint the shed');
	});
});

describe('a pipe', () => {
	it('gets whole titles, however long they are', async () => {
		const { out } = await stage.run(['ls']);
		expect(out).toContain('about a very long story that does not fit into narrow places');
		expect(out).not.toContain('…');
	});

	it('gets whole paths of projects, and a long one pads no other row', async () => {
		const far = `/${'a-rather-long-name/'.repeat(20)}end`;
		session('dddddddd-0000-4000-8000-000000000004', 'claude-sonnet-4-5', tokens, far);
		const { out } = await stage.run(['cost', '--all', '--by', 'project']);
		expect(out).toMatch(new RegExp(`^${far} {2,}\\$0\\.03 `, 'm'));
		for (const line of out.split('\n')) expect(line).not.toMatch(/ {60}/);
	});
});
