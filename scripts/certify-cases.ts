/** Which sessions the real clients are asked about, and what they said: kept by content, so that nobody is asked twice. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Codec, codecs } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import { agents, ask, type Certificate, type Client, convertFile, judge } from '../src/move/index.ts';
import { corpusSessions } from '../test/move/support.ts';
import { writeGenerated } from '../test/support/generated.ts';

/** The folder that the sessions belong to; the programs that run the clients provide it. */
const cwd = '/tmp/reprise-certify';

export interface Case {
	readonly from: FormatId;
	readonly name: string;
	readonly path: string;
	readonly client: Client;
}

export interface Counts {
	/** Recorded sessions and made-up ones for each pair of a format and a client. */
	readonly recorded: number;
	readonly made: number;
}

/** A client that finds its model's window full makes room before it asks anything, and then sends something else. */
const largest = 200_000;

interface Chosen {
	readonly name: string;
	readonly path: string;
}

/** The sessions of every format in an order of their own: scenarios with most in them first, recorded before written by hand. */
async function recordedSessions(): Promise<ReadonlyMap<FormatId, readonly Chosen[]>> {
	const found = new Map<FormatId, Map<string, Chosen & { readonly score: number }>>();
	for (const { file, session } of await corpusSessions()) {
		if (file.role !== 'main' || session.source.size > largest) continue;
		const kinds = new Set<string>();
		for (const entry of session.entries) {
			kinds.add(entry.kind);
			if (entry.kind === 'message') for (const block of entry.content) kinds.add(block.type);
		}
		const score = kinds.size + (file.handWritten ? 0 : 10) + Math.min(session.entries.length, 40) / 10;
		const scenarios = found.get(session.format) ?? new Map();
		found.set(session.format, scenarios);
		const old = scenarios.get(file.scenario);
		const name = `${file.version}/${file.scenario}`;
		if (!old || old.score < score) scenarios.set(file.scenario, { name, path: file.path, score });
	}
	const order = (list: Iterable<Chosen & { readonly score: number }>): readonly Chosen[] =>
		[...list].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
	return new Map([...found].map(([format, scenarios]) => [format, order(scenarios.values())]));
}

/** For each pair as many sessions as `counts` says; clients that are slow get other ones for each format. */
export async function chooseCases(
	folder: string,
	clients: readonly Client[],
	counts: (client: Client) => Counts,
): Promise<readonly Case[]> {
	const recorded = await recordedSessions();
	return codecs.flatMap((codec, number) => {
		const made = writeGenerated(join(folder, 'made', codec.id), codec);
		// In its own format a session is copied as it is.
		const foreign = clients.filter((client) => codecOf(client) !== codec);
		return foreign.flatMap((client) => {
			const wanted = counts(client);
			const own = (recorded.get(codec.id) ?? []).slice(0, wanted.recorded);
			const start = wanted.made < made.length ? (number * wanted.made) % made.length : 0;
			const others = [...made.slice(start), ...made.slice(0, start)].slice(0, wanted.made);
			return [...own, ...others].map(({ name, path }) => ({ from: codec.id, name, path, client }));
		});
	});
}

export interface Asked {
	readonly certificate: Certificate;
	/** The client was asked just now. */
	readonly now: boolean;
}

/** Converts the session for the client and asks it, unless its answer about the very same files is known. */
export async function certifyCase(oracles: string, folder: string, results: string, one: Case): Promise<Asked> {
	const home = mkdtempSync(join(folder, 'home-'));
	try {
		const machine = { platform: 'linux', home, env: { REPRISE_HOME: join(home, 'own') } } as const;
		const made = await convertFile(one.path, { to: codecOf(one.client).id, out: `${home}/`, machine, cwd });
		const [path = ''] = made.out;
		const stored = join(results, `${keyOf(one.client, home, made.out)}.json`);
		const known = existsSync(stored);
		const answer: unknown = known
			? JSON.parse(readFileSync(stored, 'utf8'))
			: await ask(oracles, one.client, { path, cwd });
		if (!known && isVerdict(answer)) keep(stored, answer);
		return { certificate: judge(one.client, path, answer), now: !known };
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

/** Time limits and broken runs say nothing about the session: they are asked again. */
function isVerdict(answer: unknown): answer is { readonly accepted: boolean } {
	return (
		typeof answer === 'object' && answer !== null && 'accepted' in answer && !('timedOut' in answer && answer.timedOut)
	);
}

function keep(stored: string, answer: object): void {
	mkdirSync(join(stored, '..'), { recursive: true });
	const fresh = `${stored}.${process.pid}`;
	writeFileSync(fresh, JSON.stringify(answer));
	renameSync(fresh, stored);
}

export function codecOf(client: Client): Codec {
	const format = agents.find((agent) => agent.name === client.agent)?.format;
	const codec = codecs.find((one) => one.id === format);
	if (!codec) throw new Error(`no codec for ${client.agent}`);
	return codec;
}

/** Of the files' content and names, wherever the scratch folder is. */
function keyOf(client: Client, home: string, files: readonly string[]): string {
	const hash = createHash('sha256').update(client.name);
	for (const file of files) {
		hash.update(`\n${relative(home, file)}\n`);
		hash.update(readFileSync(file, 'latin1').replaceAll(home, '~'), 'latin1');
	}
	return hash.digest('hex');
}
