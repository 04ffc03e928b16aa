/**
 * Runs the real clients on sessions that were converted for them, and writes what they did to docs/interop.md.
 * ORACLES=FOLDER names the programs that run the clients. `certify.ts [COUNT]`: so many sessions of each format (default 3).
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { codecs } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import {
	agents,
	type Certificate,
	type Client,
	certify,
	clients,
	convertFile,
	handOff,
	oraclesFolder,
	returnSession,
} from '../src/move/index.ts';
import { contextOf } from '../src/store/context.ts';
import { openSession } from '../src/store/open.ts';
import { type CorpusFile, corpusFiles } from '../test/support/corpus.ts';

const root = join(import.meta.dirname, '..');
const count = Number(process.argv[2] ?? 3);
/** They take many seconds each. */
const slow: ReadonlySet<string> = new Set(['OpenClaw 2026.7.1']);

interface Row {
	readonly from: FormatId;
	readonly client: Client;
	readonly results: { readonly file: CorpusFile; readonly certificate: Certificate }[];
}

const oracles = oraclesFolder(process.env);
if (oracles === undefined) {
	console.error('certify: ORACLES does not name the folder of the programs that run the clients; nothing was done');
	process.exit(3);
}

/** Recorded sessions first, of different scenarios, the ones with most in them before the others. */
async function sample(format: FormatId): Promise<readonly CorpusFile[]> {
	const chosen = new Map<string, { readonly file: CorpusFile; readonly score: number }>();
	for (const file of corpusFiles(format)) {
		const size = file.bytes().length;
		if (file.role !== 'main' || size === 0 || size > 200_000) continue;
		const session = await openSession(file.path);
		if (session.dialect === 'vscode' || session.issues.some((issue) => issue.severity === 'error')) continue;
		const kinds = new Set<string>();
		for (const entry of session.entries) {
			kinds.add(entry.kind);
			if (entry.kind === 'message') for (const block of entry.content) kinds.add(block.type);
		}
		if (!kinds.has('message')) continue;
		const score = kinds.size + (file.handWritten ? 0 : 10) + Math.min(session.entries.length, 40) / 10;
		const old = chosen.get(file.scenario);
		if (!old || old.score < score) chosen.set(file.scenario, { file, score });
	}
	return [...chosen.values()]
		.sort((a, b) => b.score - a.score || (a.file.name < b.file.name ? -1 : 1))
		.slice(0, count)
		.map(({ file }) => file);
}

async function certifyAll(folder: string): Promise<readonly Row[]> {
	const rows: Row[] = [];
	for (const { id: from } of codecs) {
		const files = await sample(from);
		for (const client of clients.filter((one) => !slow.has(one.name) || process.argv.includes('--slow'))) {
			const to = agents.find((agent) => agent.name === client.agent)?.format;
			if (to === undefined || to === from) continue;
			const row: Row = { from, client, results: [] };
			for (const file of files) row.results.push({ file, certificate: await certifyOne(folder, file, to, client) });
			rows.push(row);
			console.error(`${from} → ${client.name}: ${summary(row).join(', ')}`);
		}
	}
	return rows;
}

async function certifyOne(folder: string, file: CorpusFile, to: FormatId, client: Client): Promise<Certificate> {
	const home = mkdtempSync(join(folder, 'home-'));
	const machine = { platform: 'linux', home, env: { REPRISE_HOME: join(home, 'own') } } as const;
	const cwd = '/tmp/reprise-certify';
	const made = await convertFile(file.path, { to, out: `${home}/`, machine, cwd });
	const [path = ''] = made.out;
	return await certify(oracles as string, client, { path, cwd });
}

function summary({ results }: Row): readonly [opened: string, equal: string, rejected: string] {
	const all = results.length;
	const compared = results.filter(({ certificate }) => certificate.equal !== undefined);
	const equal = compared.filter(({ certificate }) => certificate.equal).length;
	return [
		`${results.filter(({ certificate }) => certificate.opened).length} of ${all}`,
		compared.length === 0 ? 'not compared' : `${equal} of ${compared.length}`,
		String(results.filter(({ certificate }) => certificate.rejected !== undefined).length),
	];
}

interface Circle {
	readonly through: string;
	readonly steps: readonly string[];
	readonly whole: boolean;
}

/** A turn by the real client on the session that was handed to it; the file afterwards. */
const turns: { readonly [agent: string]: (path: string, keep: string) => { args: readonly string[]; after: string } } =
	{
		cline: (path, keep) => ({
			args: [
				'cline-resume',
				'--via',
				'core',
				'--session',
				path,
				'--manifest',
				path.replace(/\.messages\.json$/, '.json'),
				'--keep',
				keep,
			],
			after: join(keep, 'sessions', basename(path, '.messages.json'), basename(path)),
		}),
		pi: (path, keep) => ({
			args: ['pi-resume', '--client', '0.87.1', '--session', path, '--keep', join(keep, 'after.jsonl')],
			after: join(keep, 'after.jsonl'),
		}),
	};

/** A session of the real Claude Code goes to another agent, has a turn there, comes home, and goes on at home. */
async function circle(folder: string, through: string): Promise<Circle> {
	const home = mkdtempSync(join(folder, 'circle-'));
	const keep = mkdtempSync(join(folder, 'keep-'));
	const cwd = join(home, 'project');
	mkdirSync(cwd);
	const machine = { platform: 'linux', home, env: { REPRISE_HOME: join(home, 'own') } } as const;
	const own = join(home, 'session.jsonl');
	const [file] = corpusFiles('claude-code').filter((one) => one.version === '2.1.325' && one.scenario === 'tools-all');
	if (!file) throw new Error('the corpus has no such session');
	const old = Buffer.from(file.bytes());
	writeFileSync(own, old);
	const handed = await handOff(own, { to: through, cwd, machine });
	const [there = ''] = handed.out;
	const turn = turns[through]?.(there, keep);
	if (!turn) throw new Error(`no turn is known for ${through}`);
	const [oracle = '', ...args] = turn.args;
	execFileSync(join(oracles as string, oracle), args, { stdio: 'ignore' });
	cpSync(turn.after, there);
	const back = await returnSession(there, { machine });
	const now = readFileSync(own);
	const kept = now.subarray(0, old.length).equals(old);
	const ends = clients.filter((client) => client.agent === 'claude-code');
	const opened: string[] = [];
	for (const client of ends) {
		const one = await certify(oracles as string, client, { path: own, cwd });
		const sent = JSON.stringify(contextOf(own, { client: client.version }).messages).includes('ORACLE-OK');
		if (one.opened && one.equal !== false && one.rejected === undefined && sent) opened.push(client.name);
		else console.error(`circle through ${through}: ${JSON.stringify(one)}`);
	}
	return {
		through,
		steps: [
			`${back.messages} new messages`,
			kept ? `first ${old.length} bytes unchanged` : 'old bytes changed',
			`resumed with all turns by ${opened.join(' and ')}`,
		],
		whole: kept && opened.length === ends.length,
	};
}

function page(rows: readonly Row[], circles: readonly Circle[]): string {
	const cells = (list: readonly string[]): string => `| ${list.join(' | ')} |`;
	const notes = rows.flatMap(({ from, client, results }) =>
		results
			.filter(({ certificate: one }) => !one.opened || one.equal === false || one.rejected !== undefined)
			.map(({ file, certificate: one }) => {
				const why = [one.note, one.rejected && `the API answers: ${one.rejected}`].filter(Boolean).join('; ');
				return `- ${from} → ${client.name}, \`${file.version}/${file.scenario}\`: ${why.replaceAll('\n', ' ').slice(0, 300)}`;
			}),
	);
	return [
		'# Converted sessions in the real clients',
		'',
		'Made by `npm run certify`: sessions of the corpus, converted by Reprise, then opened by the real client in a throw-away home',
		'against a scripted model that is as strict as the public API. _Opened_: the client took the file and sent a request. _As',
		'expected_: its messages are exactly those that `reprise context OUT --client VERSION` prints. _Refused_: requests that the',
		'API would answer with 400.',
		'',
		cells(['from', 'client', 'opened', 'as expected', 'refused']),
		cells(['---', '---', '---', '---', '---']),
		...rows.map((row) => cells([row.from, row.client.name, ...summary(row)])),
		'',
		...(notes.length === 0 ? ['No exceptions.'] : ['## Exceptions', '', ...notes]),
		'',
		'## The full circle',
		'',
		'A session recorded by Claude Code 2.1.325 is handed off, continued by the real client there, returned, and resumed at home.',
		'',
		...circles.map(
			({ through, steps, whole }) => `- through ${through}: ${whole ? 'whole' : '**not whole**'} (${steps.join(', ')})`,
		),
		'',
	].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'reprise-certify-'));
try {
	const circles: Circle[] = [];
	for (const through of Object.keys(turns)) circles.push(await circle(folder, through));
	const rows = await certifyAll(folder);
	writeFileSync(join(root, 'docs/interop.md'), page(rows, circles));
} finally {
	if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}
