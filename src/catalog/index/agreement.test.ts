/** The index and the files never disagree, whatever happens to either. */
import { spawn } from 'node:child_process';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/lib/random.ts';
import { diskAccess, dump } from '../../../test/support/catalog.ts';
import { forkOf, type MadeFile, type MadeReply, makeSession } from '../../../test/support/costs.ts';
import type { Carried, CarriedPart, FormatId } from '../../model/index.ts';
import { collectCosts, type SessionFile } from '../cost/collect.ts';
import { loadPrices } from '../cost/prices.ts';
import { Catalog, type CatalogAccess } from './catalog.ts';
import { stepSize } from './file-index.ts';

const rounds = Number(process.env.REPRISE_ROUNDS ?? 40);
const seed = Number(process.env.REPRISE_SEED ?? 1);
const scratch = mkdtempSync(join(tmpdir(), 'reprise-agreement-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const prices = loadPrices();
const formats: readonly FormatId[] = ['claude-code', 'openclaw', 'clido', 'cline'];

type Random = ReturnType<typeof randomFrom>;

function someReply(random: Random): MadeReply {
	const count = () => random.int(0, 5000);
	return {
		id: random.letters(20).toLowerCase(),
		model: random.pick(['claude-sonnet-4-5', 'claude-haiku-4-5', 'nobody-knows-this']),
		usage: { input: count(), output: count(), cacheRead: count(), cacheWrite5m: count(), cacheWrite1h: count() },
		lines: random.int(1, 3),
		costUsd: random.int(1, 900) / 1000,
		time: Date.UTC(2026, 0, 1) + random.int(0, 3_000_000_000),
	};
}

/** A home full of sessions to which many things happen. */
class Home {
	readonly folder: string;
	readonly #random: Random;
	readonly #sessions = new Map<string, { readonly made: MadeFile; readonly path: string }>();
	readonly #notes = new Map<string, Carried>();
	#number = 0;

	constructor(folder: string, random: Random) {
		this.folder = folder;
		this.#random = random;
	}

	sessions(): readonly SessionFile[] {
		return [...this.#sessions.values()]
			.filter(({ path }) => existsSync(path))
			.map(({ made, path }) => ({ path, id: made.id, agent: made.agent, format: made.format }));
	}

	/** Notes of hand-offs. */
	carried(): readonly Carried[] {
		return [...this.#notes.values()];
	}

	happen(): string {
		const random = this.#random;
		const known = [...this.#sessions.values()].filter(({ path }) => existsSync(path));
		if (known.length < 3 || random.chance(0.15)) return this.#create(known.map(({ made }) => made));
		if (random.chance(0.2)) return this.#handOff(random.pick(known).made, random.pick(known).made);
		const { path, made } = random.pick(known);
		const size = statSync(path).size;
		switch (random.int(0, 8)) {
			case 0:
			case 1:
				appendFileSync(path, makeSession(made.format, made.id, [someReply(random)]).text);
				return `append to ${path}`;
			case 2: {
				const text = makeSession(made.format, made.id, [someReply(random)]).text;
				appendFileSync(path, text.slice(0, random.int(1, text.length)));
				return `append a part to ${path}`;
			}
			case 3:
				truncateSync(path, random.int(0, size));
				return `cut ${path}`;
			case 4: {
				writeFileSync(`${path}.new`, makeSession(made.format, made.id, this.#replies()).text);
				renameSync(`${path}.new`, path);
				return `replace ${path}`;
			}
			case 5:
				writeFileSync(path, makeSession(made.format, made.id, this.#replies()).text);
				return `write over ${path}`;
			case 6: {
				const bytes = readFileSync(path);
				for (const [index, byte] of bytes.entries()) if (byte === 0x78) bytes[index] = 0x79;
				writeFileSync(path, bytes);
				return `change letters of ${path}`;
			}
			case 7:
				renameSync(path, `${path}.moved.jsonl`);
				this.#sessions.set(`${path}.moved.jsonl`, { made, path: `${path}.moved.jsonl` });
				return `rename ${path}`;
			default:
				rmSync(path);
				return `delete ${path}`;
		}
	}

	/** A note states the hand-off; whether the replies are the same does not matter here. */
	#handOff({ format, id }: MadeFile, to: MadeFile): string {
		const random = this.#random;
		const key = `${to.format} ${to.id}`;
		if (random.chance(0.2)) {
			this.#notes.delete(key);
			return `forget what ${key} holds`;
		}
		const end = random.int(0, 4000);
		const until = Date.UTC(2026, 0, 1) + random.int(0, 3_000_000_000);
		const range = to.format === 'cline' ? { until } : { to: end };
		const part: CarriedPart = {
			of: { format, id },
			from: random.int(0, 2),
			...range,
			length: end,
			hops: random.int(1, 3),
		};
		const parts = [part, ...(random.chance(0.5) ? (this.#notes.get(key)?.parts ?? []) : [])];
		this.#notes.set(key, { format: to.format, id: to.id, parts });
		return `${key} holds ${JSON.stringify(part)}`;
	}

	#replies(): MadeReply[] {
		return Array.from({ length: this.#random.int(1, 6) }, () => someReply(this.#random));
	}

	#create(known: readonly MadeFile[]): string {
		this.#number += 1;
		const random = this.#random;
		const id = `session${this.#number}`;
		const forked = known.length > 0 && random.chance(0.5) ? random.pick(known) : undefined;
		const made = forked
			? forkOf(forked, random.int(0, Math.max(0, forked.cuts.length - 1)), id, this.#replies())
			: makeSession(random.pick(formats), id, this.#replies());
		const path = join(this.folder, made.path);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, made.text);
		this.#sessions.set(path, { made, path });
		return `create ${path}`;
	}
}

/** A disk that fails when `fails` says so. */
function failing(fails: () => boolean): CatalogAccess {
	return watching(() => {
		if (fails()) throw new Broken('the power went out');
	});
}

/** A disk that reports every read. */
function watching(tell: (length: number) => void): CatalogAccess {
	return {
		...diskAccess,
		open(path) {
			const source = diskAccess.open(path);
			return {
				size: source.size,
				[Symbol.dispose]: () => source[Symbol.dispose](),
				read(at, length) {
					const bytes = source.read(at, length);
					tell(bytes.length);
					return bytes;
				},
			};
		},
	};
}

class Broken extends Error {}

/** The sums of each file's own responses, counted without an index. */
function scanned(sessions: readonly SessionFile[], access: CatalogAccess): object {
	const files = new Map<string, { responses: number; output: number }>();
	collectCosts(sessions, access).ledger.each(({ first, copyOf, responses, usage }) => {
		if (copyOf !== undefined) return;
		const sum = files.get(first.file.path) ?? { responses: 0, output: 0 };
		files.set(first.file.path, { responses: sum.responses + responses, output: sum.output + usage.output });
	});
	return Object.fromEntries([...files].filter(([, { responses, output }]) => responses + output > 0).sort());
}

/** The sums of each file's own responses, from the index. */
function counted(path: string): object {
	const { files } = dump(path) as { files: { path: string; responses: number; output: number }[] };
	const some = files.filter(({ responses, output }) => responses + output > 0);
	return Object.fromEntries(some.map(({ path: file, responses, output }) => [file, { responses, output }]));
}

function index(path: string, sessions: readonly SessionFile[], access = diskAccess): void {
	using catalog = new Catalog({ path, access, warn: (message) => expect.fail(message) });
	catalog.index(sessions, prices);
}

/** Indexes in another process, which is killed after some time or ends by itself. */
async function indexAndKill(path: string, sessions: readonly SessionFile[], afterMs?: number): Promise<void> {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'agreement.child.mjs'), path], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	child.stdin.end(JSON.stringify(sessions));
	const ended = new Promise((resolve) => child.once('exit', resolve));
	await new Promise((resolve) => {
		child.stdout.once('data', resolve);
		child.once('exit', resolve);
	});
	if (afterMs !== undefined) {
		await new Promise((resolve) => setTimeout(resolve, afterMs));
		child.kill('SIGKILL');
	}
	await ended;
}

describe('the index and the files', () => {
	it(`agree after ${rounds} rounds of appends, cuts, replacements, renames, hand-offs, failures and kills`, {
		timeout: 60_000 + rounds * 3000,
	}, async () => {
		const random = randomFrom(seed);
		const home = new Home(join(scratch, 'home'), random);
		const path = join(scratch, 'catalog.sqlite');
		const log: string[] = [];
		const carried = () => home.carried();
		const access = { ...diskAccess, carried };
		for (let round = 0; round < rounds; round += 1) {
			for (let left = random.int(1, 5); left > 0; left -= 1) log.push(home.happen());
			if (round % 8 === 7) await indexAndKill(path, home.sessions(), random.int(0, 25));
			if (random.chance(0.3)) {
				try {
					let left = random.int(0, 12);
					const fails = () => {
						left -= 1;
						return left < 0;
					};
					index(path, home.sessions(), { ...failing(fails), carried });
				} catch (error) {
					if (!(error instanceof Broken)) throw error;
				}
			}
			index(path, home.sessions(), access);
			const fresh = join(scratch, `fresh${round}.sqlite`);
			index(fresh, home.sessions(), access);
			const told = `seed ${seed}, round ${round}: ${log.slice(-12).join('; ')}`;
			expect(dump(path), told).toEqual(dump(fresh));
			expect(counted(path), told).toEqual(scanned(home.sessions(), access));
			rmSync(fresh);
		}
	});

	it('several processes may index at once', async () => {
		const home = new Home(join(scratch, 'shared'), randomFrom(seed + 1));
		for (let left = 60; left > 0; left -= 1) home.happen();
		const path = join(scratch, 'shared.sqlite');
		await Promise.all([1, 2, 3].map(() => indexAndKill(path, home.sessions())));
		const fresh = join(scratch, 'alone.sqlite');
		index(fresh, home.sessions());
		expect(dump(path)).toEqual(dump(fresh));
	}, 60_000);

	it('a large file is indexed in steps, and what was finished before a failure stays', () => {
		const reply = {
			type: 'user',
			cwd: '/p',
			message: { role: 'user', content: `${'y'.repeat(100)} `.repeat(80) },
		};
		const lines = Array.from({ length: 2600 }, (_, number) =>
			JSON.stringify({ ...reply, uuid: `u${number}`, timestamp: new Date(number * 1000).toISOString() }),
		);
		const file = join(scratch, 'large.jsonl');
		writeFileSync(file, `${lines.join('\n')}\n`);
		const session: SessionFile = { path: file, id: 'large', agent: 'claude-code', format: 'claude-code' };
		const path = join(scratch, 'steps.sqlite');
		let reads = 75;
		const access = failing(() => {
			reads -= 1;
			return reads < 0;
		});
		const told: number[] = [];
		using broken = new Catalog({ path, access, warn: (message) => expect.fail(message) });
		expect(() => broken.index([session], prices, (done) => told.push(done))).toThrow(Broken);
		expect(told[0]).toBe(0);
		expect(told[1]).toBeGreaterThan(0.9 * stepSize);
		const [half] = (dump(path) as { files: { unfinished: number; size: number }[] }).files;
		expect(half?.unfinished).toBe(1);
		expect(half?.size).toBeGreaterThan(1.8 * stepSize);
		let read = 0;
		index(
			path,
			[session],
			watching((length) => {
				read += length;
			}),
		);
		// Read once for the costs, and for the entries only what the first attempt had not finished.
		expect(read).toBeLessThan(1.8 * statSync(file).size);
		const fresh = join(scratch, 'at-once.sqlite');
		index(fresh, [session]);
		expect(dump(path)).toEqual(dump(fresh));
	}, 60_000);

	it('lines longer than a step, and a last one without an end, are found whole', () => {
		const said = (number: number, length: number) =>
			JSON.stringify({
				type: 'user',
				uuid: `u${number}`,
				cwd: '/p',
				message: { role: 'user', content: `first${number} ${'y '.repeat(length / 2)}last${number}` },
			});
		const lengths = [10, 2.5 * stepSize, 300_000, stepSize - 300_500, 20, 0.9 * stepSize, stepSize, 30];
		const file = join(scratch, 'long-lines.jsonl');
		writeFileSync(file, lengths.map((length, number) => said(number, length)).join('\n'));
		const path = join(scratch, 'long-lines.sqlite');
		const session: SessionFile = { path: file, id: 'long', agent: 'claude-code', format: 'claude-code' };
		using catalog = new Catalog({ path, access: diskAccess, warn: (message) => expect.fail(message) });
		catalog.index([session], prices);
		const found = (word: string) => catalog.search(word, {}).hits.map((hit) => hit.entry);
		for (const number of lengths.keys()) {
			expect([found(`first${number}`), found(`last${number}`)]).toEqual([[`u${number}`], [`u${number}`]]);
		}
		expect(catalog.list([session])).toMatchObject([{ turns: lengths.length }]);
	}, 60_000);
});
