/** A mirror that a program runs: a store that has lost what it acknowledged is filled again, whatever it can be asked. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { discoverSessions } from '../../store/find/discover.ts';
import { memoryStore } from '../adapters/memory.ts';
import type { ExactStore } from '../contract.ts';
import { type MirrorEvent, mirrorSessions } from './mirror.ts';

const scratch = scratchPerTest();
const id = '11111111-1111-4111-8111-111111111111';
const key = { projectKey: '-home-dev-shed', sessionId: id };
const agent = { ...key, subpath: 'subagents/agent-a1' };

function write(name: string, lines: number): void {
	const folder = join(scratch.machine.home, '.claude/projects', key.projectKey);
	mkdirSync(join(folder, id, 'subagents'), { recursive: true });
	const rest = `"sessionId":"${id}","cwd":"/home/dev/shed","version":"2.1.29","timestamp":"2026-03-02T09:00:00.000Z"`;
	const text = (n: number): string =>
		`{"parentUuid":${n === 0 ? 'null' : `"${n - 1}"`},"isSidechain":false,"type":"user","message":{"role":"user","content":"w"},"uuid":"${n}",${rest}}\n`;
	writeFileSync(join(folder, name), Array.from({ length: lines }, (_, n) => text(n)).join(''));
}

async function mirrored(store: ExactStore): Promise<readonly MirrorEvent['kind'][]> {
	const told: MirrorEvent['kind'][] = [];
	const { machine } = scratch;
	await mirrorSessions({
		to: { store, shown: 'a store', name: 'a store' },
		sessions: () => discoverSessions(machine),
		machine,
		tell: ({ kind }) => told.push(kind),
	});
	return told;
}

const holds = async (store: ExactStore): Promise<readonly number[]> =>
	await Promise.all([key, agent].map(async (one) => (await store.loadLines(one))?.length ?? 0));

it('another store of the same name is filled from the beginning, and so is one from which a sub-agent was deleted', async () => {
	write(`${id}.jsonl`, 3);
	write(`${id}/subagents/agent-a1.jsonl`, 2);
	expect(await mirrored(memoryStore())).not.toContain('lost');
	const store = memoryStore();
	expect(await mirrored(store)).toContain('lost');
	expect(await holds(store)).toEqual([3, 2]);
	await store.delete(agent);
	expect(await mirrored(store)).toContain('lost');
	expect(await mirrored(store)).toEqual(['caught-up']);
	expect(await holds(store)).toEqual([3, 2]);
});

it('of a store that counts nothing a mirror sees what is not listed any more', async () => {
	const plain = (): ExactStore => {
		const { sizes: _, ...rest } = memoryStore();
		return rest;
	};
	write(`${id}.jsonl`, 3);
	write(`${id}/subagents/agent-a1.jsonl`, 2);
	const store = plain();
	await mirrored(store);
	expect(await mirrored(store)).toEqual(['caught-up']);
	await store.delete(agent);
	expect(await mirrored(store)).toContain('lost');
	expect(await holds(store)).toEqual([3, 2]);
	const another = plain();
	expect(await mirrored(another)).toContain('lost');
	expect(await holds(another)).toEqual([3, 2]);
});

it('what has no file any more is not sent again, and is not told about at every run', async () => {
	write(`${id}.jsonl`, 3);
	await mirrored(memoryStore());
	rmSync(join(scratch.machine.home, '.claude/projects', key.projectKey, `${id}.jsonl`));
	expect(await mirrored(memoryStore())).toEqual(['caught-up']);
});

it('sessions are as old in a store as their files are, and the last that a store gets is the newest', async () => {
	const days = { one: 3, two: 1, three: 2 };
	const time = (age: number): number => 1_700_000_000 - 86_400 * age;
	for (const [name, age] of Object.entries(days)) {
		write(`${name}.jsonl`, 2);
		const path = join(scratch.machine.home, '.claude/projects', key.projectKey, `${name}.jsonl`);
		utimesSync(path, time(age), time(age));
	}
	const store = memoryStore();
	const got: string[] = [];
	const appendLines: ExactStore['appendLines'] = async (to, lines, written) => {
		got.push(to.sessionId);
		await store.appendLines(to, lines, written);
	};
	await mirrored({ ...store, appendLines });
	expect(got).toEqual(['one', 'three', 'two']);
	expect(await store.listSessions(key.projectKey)).toEqual(
		['two', 'three', 'one'].map((sessionId) => ({
			sessionId,
			mtime: time(days[sessionId as keyof typeof days]) * 1000,
		})),
	);
});

it('a store that is away is asked for the last time when patience ends, and not a whole pause later', async () => {
	write(`${id}.jsonl`, 3);
	const store: ExactStore = {
		...memoryStore(),
		appendLines: async () => {
			throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
		},
	};
	const { machine } = scratch;
	// Pauses of 0.2, 0.4, 0.8, 1.6 and 3.2 seconds would end after 6.2.
	const even = vi.spyOn(Math, 'random').mockReturnValue(0.5);
	let since: number | undefined;
	const done = await mirrorSessions({
		...{ to: { store, shown: 'a store', name: 'a store' }, sessions: () => discoverSessions(machine), machine },
		patienceMs: 3200,
		tell: ({ kind }) => {
			if (kind === 'waiting') since ??= performance.now();
		},
	});
	const took = performance.now() - (since ?? Number.NaN);
	even.mockRestore();
	expect(done).toMatchObject({ failed: expect.stringContaining('full'), queued: 3 });
	expect(took).toBeGreaterThan(3100);
	expect(took).toBeLessThan(5800);
});
