/** A reply that a hand-off copies is paid for once: it counts for the session that wrote it first. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { runOn } from '../support/in-process.ts';

const agents = ['claude-code', 'cline', 'clido', 'pi'] as const;
const pairs = agents.flatMap((from) => agents.filter((to) => to !== from).map((to) => [from, to] as const));

interface Report {
	readonly totals: { readonly responses: number; readonly outputTokens: number };
	readonly rows: readonly { readonly session: string; readonly responses: number }[];
	readonly counted: readonly { readonly session: string }[];
	readonly excluded: readonly { readonly session: string; readonly reason: string; readonly of?: string }[];
}

/** A project in which sessions go from agent to agent, in this process; what they cost is asked of others, which know only the disk. */
class Hands extends ClientStage {
	async begin(agent: string): Promise<string> {
		const script = this.script([{ text: 'Roses first.', usage: { output: 10 } }]);
		const args = ['-p', 'Plan the garden', '--session-format', agent, '--script', script, '--output-format', 'json'];
		return (JSON.parse(await this.done(...args)) as { session_id: string }).session_id;
	}

	async goOn(id: string, output: number): Promise<void> {
		const script = this.script([{ text: `Then ${output} tulips.`, usage: { output } }]);
		await this.done('-r', id, '-p', `And then ${output}?`, '--script', script);
	}

	/** What a command printed that must have worked. */
	async done(...args: readonly string[]): Promise<string> {
		const { code, out, err } = await runOn(this, args);
		expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
		return out;
	}

	async told<T>(...args: readonly string[]): Promise<T> {
		const { out, err } = await this.run([...args, '--json']);
		if (out === '') throw new Error(err);
		return JSON.parse(out) as T;
	}

	async handOff(id: string, to: string): Promise<string> {
		return (JSON.parse(await this.done('handoff', id, '--to', to, '--json')) as { id: string }).id;
	}

	async report(): Promise<Report> {
		return await this.told<Report>('cost', '--all', '--by', 'session', '--explain');
	}

	/** Responses by session; and what the catalog says must be the same. */
	async counts(): Promise<{ readonly [session: string]: number }> {
		const stats = await this.told<{ rows: readonly Report['totals'][] }>('stats', '--all', '--by', 'agent');
		const { rows, totals } = await this.told<Report>('cost', '--all', '--by', 'session');
		const sum = (name: keyof Report['totals']) => stats.rows.reduce((all, row) => all + row[name], 0);
		expect([sum('responses'), sum('outputTokens')]).toEqual([totals.responses, totals.outputTokens]);
		return Object.fromEntries(rows.map((row) => [row.session, row.responses]));
	}

	async delete(id: string): Promise<string> {
		return (JSON.parse(await this.done('delete', id, '--yes', '--json')) as { trash: string }).trash;
	}
}

/** What an agent without tokens, such as Clido, told cannot be a reply of Cline: nothing says there that a model wrote it. */
const canShow = (from: string, to: string): boolean => !(from === 'clido' && to === 'cline');

describe.each(pairs)('from %s to %s and back', (from, to) => {
	it('each reply counts once, for the session that wrote it, after it came home', async () => {
		using stage = new Hands();
		const first = await stage.begin(from);
		const second = await stage.handOff(first, to);
		await stage.goOn(second, 20);
		expect(await stage.counts()).toEqual({ [first]: 1, [second]: 1 });
		await stage.done('return', second);
		await stage.goOn(first, 40);
		expect(await stage.counts()).toEqual({ [first]: 2, [second]: 1 });
		const copied = canShow(from, to) ? [{ session: second, reason: 'copy', of: first }] : [];
		const { excluded, counted } = await stage.report();
		expect(counted.length).toBe(3);
		expect(excluded).toHaveLength(copied.length + 1);
		for (const one of [...copied, { session: first, reason: 'copy', of: second }])
			expect(excluded).toContainEqual(expect.objectContaining(one));
	});
});

describe.each(pairs)('from %s to %s, and handed back', (from, to) => {
	it('each reply counts once; in a copy when the session that wrote it is gone', async () => {
		using stage = new Hands();
		const first = await stage.begin(from);
		const second = await stage.handOff(first, to);
		await stage.goOn(second, 20);
		const third = await stage.handOff(second, from);
		await stage.goOn(third, 40);
		expect(await stage.counts()).toEqual({ [first]: 1, [second]: 1, [third]: 1 });
		const { excluded } = await stage.report();
		const kept = canShow(to, from) ? 1 : 0;
		for (const of of kept ? [first, second] : [])
			expect(excluded).toContainEqual(expect.objectContaining({ session: third, reason: 'copy', of }));
		expect(excluded).toHaveLength(2 * kept + (canShow(from, to) ? 1 : 0));
		const trashed = await stage.delete(first);
		expect(await stage.counts()).toEqual(canShow(from, to) ? { [second]: 2, [third]: 1 } : { [second]: 1, [third]: 2 });
		await stage.done('restore', trashed);
		await stage.delete(second);
		expect(await stage.counts()).toEqual({ [first]: 1, [third]: 1 + kept });
	});
});

describe('after hand-offs', () => {
	it('two copies of a session that is gone count its replies once', async () => {
		using stage = new Hands();
		const first = await stage.begin('claude-code');
		const early = await stage.handOff(first, 'cline');
		await stage.goOn(first, 20);
		const late = await stage.handOff(first, 'pi');
		expect(await stage.counts()).toEqual({ [first]: 2 });
		await stage.delete(first);
		// The one that has both.
		expect(await stage.counts()).toEqual({ [late]: 2 });
		await stage.delete(late);
		expect(await stage.counts()).toEqual({ [early]: 1 });
	});

	it('a fork of a copy brings no reply back', async () => {
		using stage = new Hands();
		const first = await stage.begin('claude-code');
		for (const agent of ['cline', 'clido', 'pi']) {
			const copy = await stage.handOff(first, agent);
			await stage.done('fork', copy);
		}
		expect(Object.values(await stage.counts())).toEqual([1]);
	});

	it('what came home twice counts where it was written', async () => {
		using stage = new Hands();
		const first = await stage.begin('claude-code');
		const second = await stage.handOff(first, 'cline');
		await stage.goOn(second, 20);
		await stage.done('return', second);
		await stage.goOn(second, 30);
		await stage.done('return', second);
		await stage.goOn(first, 40);
		expect(await stage.counts()).toEqual({ [first]: 2, [second]: 2 });
		const third = await stage.handOff(first, 'clido');
		await stage.delete(second);
		await stage.delete(first);
		expect(await stage.counts()).toEqual({ [third]: 4 });
	});

	it('dollars are those of the session that was paid for, in lists too', async () => {
		using stage = new Hands();
		const id = 'aaaaaaaa-0000-4000-8000-000000000001';
		const base = { sessionId: id, cwd: stage.cwd, timestamp: '2026-03-02T09:00:00.000Z', version: '2.1.325' };
		const usage = { input_tokens: 1000, output_tokens: 2000 };
		const content = [{ type: 'text', text: 'Roses first.' }];
		const reply = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
		const lines = [
			{ ...base, type: 'user', uuid: `${id}1`, parentUuid: null, message: { role: 'user', content: 'Plan' } },
			{ ...base, type: 'assistant', uuid: `${id}2`, parentUuid: `${id}1`, requestId: 'req_1', message: reply },
		];
		const folder = join(stage.home, '.claude/projects/p');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `${id}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
		const copies = [await stage.handOff(id, 'cline'), await stage.handOff(id, 'pi')];
		const { totals } = await stage.told<{ totals: { costUsd: number } }>('cost', '--all');
		expect(totals.costUsd).toBe(0.033);
		const { sessions } = await stage.told<{ sessions: { id: string; costUsd: number }[] }>('ls', '--all', '--count');
		const dollars = Object.fromEntries(sessions.map((session) => [session.id, session.costUsd]));
		expect(dollars).toEqual({ [id]: 0.033, ...Object.fromEntries(copies.map((copy) => [copy, 0])) });
	});

	it('forgetting the way back changes no count; without any note a copy counts for itself', async () => {
		using stage = new Hands();
		const first = await stage.begin('claude-code');
		const second = await stage.handOff(first, 'cline');
		await stage.done('return', '--forget', 'all');
		rmSync(join(stage.own, 'lineage'), { recursive: true, force: true });
		expect(await stage.counts()).toEqual({ [first]: 1 });
		rmSync(join(stage.own, 'carried'), { recursive: true });
		expect(await stage.counts()).toEqual({ [first]: 1, [second]: 1 });
	});
});
