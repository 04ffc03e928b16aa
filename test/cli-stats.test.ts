/** `stats` on a home with copies: what forks and hand-offs tell again was not done again. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { codecOf } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import { diskFolders } from '../src/store/find/folders.ts';
import { openSession } from '../src/store/reader/session-reader.ts';
import { formats, Scratch, sampleOf } from './support/sessions.ts';

// Each of these starts several processes.
vi.setConfig({ testTimeout: 60_000 });
const bin = join(import.meta.dirname, '../bin/reprise.js');

interface Row {
	readonly sessions: number;
	readonly turns: number;
	readonly responses: number;
	readonly activeMs: number;
	readonly tools: { readonly [name: string]: number };
}

function reprise(scratch: Scratch, ...args: readonly string[]): string {
	const env = { PATH: process.env.PATH, HOME: scratch.folder, REPRISE_HOME: join(scratch.folder, 'own') };
	const run = spawnSync(process.execPath, [bin, ...args], { cwd: scratch.folder, encoding: 'utf8', env });
	expect({ status: run.status, err: run.stderr }).toMatchObject({ status: 0 });
	return run.stdout;
}

/** The sums over all agents; the names of tools differ between them. */
function done(scratch: Scratch): Omit<Row, 'tools'> & { readonly calls: number } {
	const { rows } = JSON.parse(reprise(scratch, 'stats', '--all', '--json')) as { rows: readonly Row[] };
	const sum = { sessions: 0, turns: 0, responses: 0, activeMs: 0, calls: 0 };
	for (const { tools, ...row } of rows) {
		for (const name of ['sessions', 'turns', 'responses', 'activeMs'] as const) sum[name] += row[name];
		for (const count of Object.values(tools)) sum.calls += count;
	}
	return sum;
}

/** The sample of the format where its client has it, in a project that exists. */
async function home(scratch: Scratch, format: FormatId): Promise<string> {
	const { id } = await openSession(sampleOf[format]);
	const session = { id, cwd: scratch.folder, created: '2026-03-02T09:00:00Z' };
	const path = codecOf(format)?.places.place(scratch.machine, session, diskFolders) ?? expect.fail('no place');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, readFileSync(sampleOf[format], 'utf8').replaceAll('/home/dev/notes', scratch.folder));
	return path;
}

describe.each(formats.map((format) => [format]))('%s', (format) => {
	it('a fork and a hand-off do nothing again; what is said in them counts once, also when it comes home', async () => {
		using scratch = new Scratch();
		const original = await home(scratch, format);
		const before = done(scratch);
		expect(before).toMatchObject({ sessions: 1, turns: 2, calls: 4 });
		reprise(scratch, 'fork', original);
		expect(done(scratch)).toEqual({ ...before, sessions: 2 });
		const to = format === 'claude-code' ? 'pi' : 'claude-code';
		const { out } = JSON.parse(
			reprise(scratch, 'handoff', original, '--to', to, '--cwd', scratch.folder, '--json'),
		) as { out: string[] };
		const [there = ''] = out;
		expect(done(scratch)).toEqual({ ...before, sessions: 3 });
		const script = join(scratch.folder, 'script.json');
		const call = { type: 'tool_use', name: to === 'pi' ? 'bash' : 'Bash', input: { command: 'pwd' } };
		writeFileSync(script, JSON.stringify([{ content: [call] }, { text: 'there' }]));
		reprise(scratch, '-r', there, '-p', 'where are we?', '--script', script);
		const { activeMs: _, ...after } = { ...before, sessions: 3, turns: 3, responses: before.responses + 2, calls: 5 };
		expect(done(scratch)).toMatchObject(after);
		reprise(scratch, 'return', there);
		expect(done(scratch)).toMatchObject(after);
	});

	it('what a copy tells counts there once the original is gone', async () => {
		using scratch = new Scratch();
		const original = await home(scratch, format);
		const { activeMs: _, ...before } = done(scratch);
		reprise(scratch, 'fork', original);
		done(scratch);
		reprise(scratch, 'delete', original, '--yes');
		expect(done(scratch)).toMatchObject(before);
	});
});
