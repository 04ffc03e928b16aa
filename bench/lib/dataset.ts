/** Generated sessions on disk: made once per set of options, then reused. */
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { converse, makeProject } from './conversation.ts';
import { claudeSession, clidoSession, clineSession, piSession, type SessionMaker } from './formats.ts';
import { type Random, randomFrom } from './random.ts';
import { makeTexts } from './text.ts';

export interface DatasetOptions {
	readonly format: 'claude-code' | 'openclaw' | 'clido' | 'cline';
	/** Millions of bytes, all sessions together. */
	readonly mb: number;
	/** How many; their sizes differ widely. Default one. */
	readonly sessions?: number;
	/** One of them has this size. */
	readonly hugeMb?: number;
	/** Default true, where the format has it in its main file. */
	readonly compaction?: boolean;
	/** Default `clean`: every session ends with the model's last words. */
	readonly end?: 'clean' | 'cut';
	/** Claude Code: each turn ends with a line that says where the conversation goes on, as newer versions have it. Default false. */
	readonly pointers?: boolean;
	readonly seed?: number;
}

export interface Dataset {
	/** What a client would call its home: `CLAUDE_CONFIG_DIR`, `PI_CODING_AGENT_DIR`, `CLIDO_DATA_DIR`, `CLINE_DIR`. */
	readonly home: string;
	/** The main files, in the order they were made. */
	readonly files: readonly string[];
	readonly bytes: number;
	/** Newlines in all files. */
	readonly lines: number;
}

export const noData: Dataset = { home: '', files: [], bytes: 0, lines: 0 };

/** Bytes that a session has at least. */
const smallest = 6000;

/** Goes up when the same options give other bytes. */
const generation = 1;

const makers: { readonly [F in DatasetOptions['format']]: SessionMaker } = {
	'claude-code': claudeSession,
	openclaw: piSession,
	clido: clidoSession,
	cline: clineSession,
};

/** Where generated data goes. */
export function benchFolder(): string {
	return process.env.REPRISE_BENCH_DIR ?? join(tmpdir(), 'reprise-bench');
}

export function dataset(options: DatasetOptions): Dataset {
	const full = {
		sessions: 1,
		hugeMb: 0,
		compaction: true,
		end: 'clean' as const,
		pointers: false,
		seed: 1,
		...options,
	};
	const name = [
		`${full.format}-${full.mb}mb-${full.sessions}`,
		full.hugeMb > 0 ? `huge${full.hugeMb}` : '',
		full.compaction ? '' : 'uncompacted',
		full.end === 'cut' ? 'cut' : '',
		full.pointers ? 'pointers' : '',
		`s${full.seed}g${generation}`,
	];
	const home = join(benchFolder(), 'data', name.filter(Boolean).join('-'));
	const manifest = join(home, 'manifest.json');
	if (!existsSync(manifest)) {
		const draft = `${home}.${process.pid}`;
		const made = generate(full, draft);
		writeFileSync(join(draft, 'manifest.json'), JSON.stringify(made));
		rmSync(home, { recursive: true, force: true });
		renameSync(draft, home);
	}
	const { files, ...counts } = JSON.parse(readFileSync(manifest, 'utf8')) as Omit<Dataset, 'home'>;
	return { home, files: files.map((path) => join(home, path)), ...counts };
}

function generate(options: Required<DatasetOptions>, folder: string): Omit<Dataset, 'home'> {
	const random = randomFrom(options.seed);
	const texts = makeTexts(random);
	const projects = Array.from({ length: Math.min(40, Math.ceil(options.sessions / 25)) }, () =>
		makeProject(random, texts),
	);
	const files: string[] = [];
	let bytes = 0;
	let lines = 0;
	let planned = 0;
	for (const [index, size] of sizes(random, options).entries()) {
		let written = 0;
		// What one session got too much, the next get less; a huge one has the size that was asked for.
		planned += size;
		const target = size === options.hugeMb * 1e6 ? size : Math.max(smallest, planned - bytes);
		const session = makers[options.format]({
			random,
			conversation: converse(random, texts, random.pick(projects)),
			start: Date.UTC(2026, 0, 2) + index * 1_700_000,
			compaction: options.compaction,
			end: options.end,
			pointers: options.pointers,
			full: () => written >= target,
		});
		const path = join(folder, session.path);
		mkdirSync(dirname(path), { recursive: true });
		const file = openSync(path, 'w');
		for (const chunk of session.chunks) {
			written += writeSync(file, chunk);
			lines += chunk.split('\n').length - 1;
		}
		closeSync(file);
		files.push(session.path);
		bytes += written;
	}
	return { files, bytes, lines };
}

/** Most sessions are small and a few hold most of the bytes. */
function sizes(random: Random, { sessions, mb, hugeMb }: Required<DatasetOptions>): readonly number[] {
	const weights = Array.from({ length: sessions }, () => random.logNormal(1, sessions > 1 ? 1.6 : 0));
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const targets = weights.map((weight) => Math.max(smallest, (weight / total) * (mb - hugeMb) * 1e6));
	if (hugeMb > 0) targets[sessions >> 1] = hugeMb * 1e6;
	return targets;
}
