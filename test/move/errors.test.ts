/** What can go wrong with a move, as users meet it: one line that says what to do, and nothing half-written. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codecs } from '../../src/codecs/index.ts';
import { writeGenerated } from '../support/generated.ts';
import { canDrop, nobody } from '../support/ordinary-user.ts';
import { Scratch, sampleOf } from '../support/sessions.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');
const isRoot = process.getuid?.() === 0;

interface Run {
	readonly code: number | null;
	readonly out: string;
	/** Each line of it. */
	readonly err: readonly string[];
}

const reprise = (scratch: Scratch, ...args: readonly string[]): Run => repriseAs(undefined, scratch, args);

function repriseAs(uid: number | undefined, scratch: Scratch, args: readonly string[]): Run {
	const env = { PATH: process.env.PATH, HOME: join(scratch.folder, 'home'), REPRISE_HOME: join(scratch.folder, 'own') };
	const run = spawnSync(process.execPath, [bin, ...args], {
		cwd: scratch.folder,
		encoding: 'utf8',
		env,
		...(uid === undefined ? {} : { uid }),
	});
	return { code: run.status, out: run.stdout, err: run.stderr.trimEnd().split('\n') };
}

/** Everything below a folder; nothing where it does not exist. */
function filesIn(folder: string): readonly string[] {
	return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

function scratchWithOut(): { readonly scratch: Scratch; readonly out: string } {
	const scratch = new Scratch();
	const out = join(scratch.folder, 'out');
	mkdirSync(out);
	return { scratch, out };
}

const convert = (to: string, out: string): readonly string[] => [
	...['convert', sampleOf.clido, '--to', to],
	...['-o', join(out, 'made.jsonl')],
];

describe('one line, and nothing half-written', () => {
	it('unknown format', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		const { code, err } = reprise(scratch, ...convert('vim', out));
		expect([code, err.length]).toEqual([2, 1]);
		expect(err[0]).toContain('claude-code, clido, cline, pi, openclaw');
		expect(filesIn(out)).toEqual([]);
	});

	it('a stored source that is damaged does not come home', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		expect(reprise(scratch, ...convert('openclaw', out)).code).toBe(0);
		const made = join(out, 'made.jsonl');
		const kept = join(scratch.folder, 'own/lineage/openclaw');
		const [stored = ''] = readdirSync(kept).filter((name) => name.endsWith('.source'));
		const bytes = readFileSync(join(kept, stored));
		bytes[100] = (bytes[100] ?? 0) ^ 1;
		writeFileSync(join(kept, stored), bytes);
		for (const command of [
			['convert', made, '--to', 'clido'],
			['return', made],
		]) {
			const { code, err } = reprise(scratch, ...command, '-o', join(out, 'home.jsonl'));
			expect([code, err.length]).toEqual([1, 1]);
			expect(err[0]).toContain('is damaged: nothing was written');
		}
		expect(filesIn(out)).toEqual(['made.jsonl']);
		const plain = ['convert', made, '--to', 'clido', '--no-lineage', '-o', join(out, 'home.jsonl')];
		expect(reprise(scratch, ...plain).code).toBe(0);
	});

	it('unknown agent', () => {
		const { scratch } = scratchWithOut();
		using _ = scratch;
		const { code, err } = reprise(scratch, 'handoff', sampleOf.clido, '--to', 'vim');
		expect([code, err.length]).toEqual([2, 1]);
		expect(err[0]).toContain('claude-code, clido, cline, pi, openclaw');
		expect(filesIn(join(scratch.folder, 'home'))).toEqual([]);
	});

	it.each(['convert', 'handoff', 'return'])('a source that is not there (%s)', (command) => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		const target = command === 'return' ? [] : ['--to', command === 'convert' ? 'clido' : 'pi'];
		const where = command === 'convert' ? ['-o', join(out, 'made.jsonl')] : [];
		const { code, err } = reprise(scratch, command, join(scratch.folder, 'gone.jsonl'), ...target, ...where);
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain('gone.jsonl');
		expect([...filesIn(out), ...filesIn(join(scratch.folder, 'home'))]).toEqual([]);
	});

	it('a source that is no session', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		const path = join(scratch.folder, 'notes.txt');
		writeFileSync(path, 'buy milk\n');
		const { code, err } = reprise(scratch, 'convert', path, '--to', 'clido', '-o', join(out, 'made.jsonl'));
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain(path);
		expect(filesIn(out)).toEqual([]);
	});

	it.skipIf(isRoot && !canDrop)('a source that may not be read', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		const path = scratch.copy('clido');
		chmodSync(path, 0);
		chmodSync(scratch.folder, 0o777);
		const args = ['convert', path, '--to', 'cline', '-o', join(out, 'made.messages.json')];
		const { code, err } = repriseAs(isRoot ? nobody : undefined, scratch, args);
		expect([code, err]).toEqual([1, [expect.stringContaining(`not allowed to read ${path}`)]]);
		expect(filesIn(out)).toEqual([]);
	});

	it.skipIf(isRoot && !canDrop)('a data folder that may not be written', () => {
		using scratch = new Scratch();
		const path = scratch.copy('clido');
		const before = readFileSync(path);
		const locks = join(scratch.folder, 'own/locks');
		mkdirSync(locks, { recursive: true });
		chmodSync(scratch.folder, 0o755);
		chmodSync(locks, 0o555);
		const { code, err } = repriseAs(isRoot ? nobody : undefined, scratch, ['rename', path, 'Mine']);
		expect([code, err]).toEqual([3, [expect.stringMatching(/locks for .*: permission denied; check the owner/)]]);
		expect(readFileSync(path)).toEqual(before);
	});

	it('a session without messages', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		const path = join(scratch.folder, 'empty.jsonl');
		writeFileSync(path, `${JSON.stringify({ type: 'session', version: 3, id: 'x', cwd: '/' })}\n`);
		const { code, err } = reprise(scratch, 'convert', path, '--to', 'clido', '-o', join(out, 'made.jsonl'));
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain('has no messages');
		expect(filesIn(out)).toEqual([]);
	});

	it('a main file that exists already', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		writeFileSync(join(out, 'made.jsonl'), 'mine');
		const { code, err } = reprise(scratch, ...convert('openclaw', out));
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain('exists already: nothing was written');
		expect(readFileSync(join(out, 'made.jsonl'), 'utf8')).toBe('mine');
		expect(filesIn(out)).toEqual(['made.jsonl']);
	});

	it('a side file that exists already', () => {
		const { scratch, out } = scratchWithOut();
		using _ = scratch;
		writeFileSync(join(out, 'made.json'), 'mine');
		const main = join(out, 'made.messages.json');
		const { code, err } = reprise(scratch, 'convert', sampleOf.clido, '--to', 'cline', '-o', main);
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain(`${join(out, 'made.json')} exists already`);
		expect(filesIn(out)).toEqual(['made.json']);
	});

	it('a project folder that is gone', () => {
		const { scratch } = scratchWithOut();
		using _ = scratch;
		const { code, err } = reprise(
			scratch,
			'handoff',
			sampleOf.clido,
			'--to',
			'pi',
			'--cwd',
			join(scratch.folder, 'gone'),
		);
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain('--cwd');
		expect(filesIn(join(scratch.folder, 'home'))).toEqual([]);
	});

	it('a session that came from nowhere', () => {
		const { scratch } = scratchWithOut();
		using _ = scratch;
		const { code, err } = reprise(scratch, 'return', scratch.copy('clido'));
		expect([code, err.length]).toEqual([1, 1]);
		expect(err[0]).toContain('reprise convert');
	});
});

/** A disk of 32 KB, where the system lets us have one. */
class SmallDisk implements Disposable {
	readonly folder: string;
	readonly mounted: boolean;

	constructor(folder: string) {
		this.folder = folder;
		mkdirSync(folder);
		const options = ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', folder];
		this.mounted = process.platform === 'linux' && isRoot && spawnSync('mount', options).status === 0;
	}

	[Symbol.dispose](): void {
		if (this.mounted) spawnSync('umount', [this.folder]);
	}
}

/** A session that does not fit on it. */
function longSession(scratch: Scratch): string {
	const [codec] = codecs;
	if (!codec) throw new Error('the codecs are gone');
	const made = writeGenerated(join(scratch.folder, 'made'), codec);
	return made.find(({ name }) => name === 'long outputs')?.path ?? '';
}

describe('a full disk', () => {
	it.for([
		['openclaw', 'made.jsonl'],
		['cline', 'made.messages.json'],
		['clido', 'made.jsonl'],
	] as const)('a conversion to %s leaves nothing behind', ([to, name], { skip }) => {
		using scratch = new Scratch();
		using disk = new SmallDisk(join(scratch.folder, 'small'));
		if (!disk.mounted) skip('no disk could be mounted');
		const { code, err } = reprise(scratch, 'convert', longSession(scratch), '--to', to, '-o', join(disk.folder, name));
		expect([code, err.length]).toEqual([3, 1]);
		expect(err[0]).toContain('the disk is full');
		expect(filesIn(disk.folder)).toEqual([]);
	});

	it('a session that goes home leaves its home as it was', ({ skip }) => {
		using scratch = new Scratch();
		using disk = new SmallDisk(join(scratch.folder, 'small'));
		if (!disk.mounted) skip('no disk could be mounted');
		const home = join(disk.folder, 'home.jsonl');
		const old = readFileSync(sampleOf.clido);
		writeFileSync(home, old);
		const there = join(scratch.folder, 'there.jsonl');
		expect(reprise(scratch, 'convert', home, '--to', 'openclaw', '-o', there).code).toBe(0);
		const entry = JSON.parse(readFileSync(there, 'utf8').trimEnd().split('\n').at(-1) ?? '');
		const message = { role: 'user', content: [{ type: 'text', text: 'long '.repeat(20_000) }], timestamp: 1 };
		const line = { type: 'message', id: 'ffffffff', parentId: entry.id, timestamp: entry.timestamp, message };
		appendFileSync(there, `${JSON.stringify(line)}\n`);
		const { code, err } = reprise(scratch, 'return', there);
		expect([code, err.length]).toEqual([3, 1]);
		expect(readFileSync(home).equals(old)).toBe(true);
	});

	it('only the way back is lost when our own data does not fit, and that is said', ({ skip }) => {
		using scratch = new Scratch();
		using disk = new SmallDisk(join(scratch.folder, 'own'));
		if (!disk.mounted) skip('no disk could be mounted');
		writeFileSync(join(disk.folder, 'fill'), Buffer.alloc(30_000));
		const out = join(scratch.folder, 'made.jsonl');
		const { code, out: printed } = reprise(
			scratch,
			'convert',
			longSession(scratch),
			'--to',
			'openclaw',
			'-o',
			out,
			'--json',
		);
		expect(code).toBe(0);
		expect(JSON.parse(printed).losses).toContainEqual(expect.objectContaining({ path: 'lineage', how: 'dropped' }));
		expect(existsSync(out)).toBe(true);
	});
});

describe('what is stored', () => {
	it('is listed with its size, forgotten by id, and then gone', () => {
		using scratch = new Scratch();
		const there = join(scratch.folder, 'there.jsonl');
		reprise(scratch, 'convert', sampleOf.clido, '--to', 'openclaw', '-o', there);
		const { stored } = JSON.parse(reprise(scratch, 'return', '--list', '--all', '--json').out);
		expect(stored).toEqual([
			expect.objectContaining({ source: expect.objectContaining({ format: 'clido', path: sampleOf.clido }) }),
		]);
		expect(stored[0].source.bytes).toBeGreaterThan(0);
		expect(reprise(scratch, 'return', '--list', '--all').out).toContain(
			`${stored[0].source.bytes.toLocaleString('en')} bytes`,
		);
		expect(reprise(scratch, 'return', '--forget', stored[0].target.id).out).toBe('forgot 1 conversion\n');
		expect(JSON.parse(reprise(scratch, 'return', '--list', '--all', '--json').out)).toEqual({ stored: [] });
		expect(filesIn(join(scratch.folder, 'own/lineage')).filter((name) => /\.(zst|json)$/.test(name))).toEqual([]);
		expect(reprise(scratch, 'return', '--forget', 'gone').err[0]).toContain('reprise return --list');
	});
});
