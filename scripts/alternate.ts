/** Reprise and the real clients take turns on one session: how many rounds, what has to be in it afterwards, forks and rewinds included. Writes docs/alternation.md. */
// Run as `ORACLES=folder node scripts/alternate.ts [NAME…]`. Each of three rounds Reprise appends a turn with a tool call, then the client resumes and appends its own; afterwards every turn must
// be in what the client sends and in what Reprise reads. A fork and a rewind by Reprise are then given to the client too.
// What the client sends must each time be exactly what `reprise context` says for its version, and a server as strict as
// the public API must take it. For Clido, which cannot be run, the rules of its own reader decide, and its turns are
// written as it writes them. Asked for all clients, it writes docs/alternation.md.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { SessionReader } from '../src/clido.ts';
import type { Machine } from '../src/codecs/index.ts';
import { blockText, type FormatId, path } from '../src/model/index.ts';
import { type Client, clients, judge } from '../src/move/index.ts';
import type { Draft } from '../src/store/handle/draft.ts';
import { openHandle } from '../src/store/handle/handle.ts';
import { contextOf } from '../src/store/reader/context.ts';
import { openSession } from '../src/store/reader/session-reader.ts';
import { fileNamed } from '../test/support/sessions.ts';
import { askOracle } from './oracles.ts';

const rounds = 3;
const root = join(import.meta.dirname, '..');
const cwd = '/home/dev/notes';

/** A client that can be run, or the rules of one that cannot. */
interface Partner {
	readonly name: string;
	readonly format: FormatId;
	/** Lets the client resume `file` with `prompt`. */
	resume(file: string, prompt: string, keep: string): Resumed;
}

interface Resumed {
	readonly sent: string;
	/** The file as the client left it. */
	readonly after: Buffer;
	/** What is wrong with what it sent. */
	readonly wrong: readonly string[];
}

function partnerOf(client: Client): Partner {
	return {
		name: client.name,
		format: client.agent === 'pi' ? 'openclaw' : (client.agent as FormatId),
		resume(file, prompt, keep) {
			const answer = askOracle(client.oracle, [
				...client.args({ path: file, cwd }),
				'--prompt',
				prompt,
				'--keep',
				keep,
			]);
			const { opened, equal, rejected, note } = judge(client, file, answer);
			if (!opened) throw new Error(`the client refused: ${note}`);
			const wrong = [
				...(equal ? [] : [`sent something else: ${note ?? 'the rules are not known'}`]),
				...(rejected === undefined ? [] : [`the API refused: ${rejected}`]),
			];
			return { sent: JSON.stringify(answer.messages), after: readFileSync(leftBy(client, file, answer, keep)), wrong };
		},
	};
}

/** Where the file is as the client left it: pi keeps it alone, the others in a copy of their folder. */
function leftBy(client: Client, file: string, answer: { readonly [field: string]: unknown }, keep: string): string {
	if (client.agent === 'pi') return keep;
	const all = answer.sessionFilesAfter as readonly string[];
	const ending = file.endsWith('.messages.json') ? '.messages.json' : '.jsonl';
	const kept = all.filter((one) => one.endsWith(ending) && !one.endsWith('.trajectory.jsonl'));
	const [only] = kept;
	if (only === undefined || kept.length > 1) throw new Error(`${client.name} left ${kept.map((one) => basename(one))}`);
	return only;
}

const clido: Partner = {
	name: 'Clido 1.0.15 (its reader’s rules)',
	format: 'clido',
	resume(file, prompt) {
		const { messages, refused } = contextOf(file);
		if (refused !== undefined) throw new Error(`the reader refused: ${refused}`);
		const lines = [...SessionReader.open(file)].length;
		const text = (said: string) => [{ text: said, type: 'text' }];
		const written = [
			{ type: 'user_message', role: 'user', content: text(prompt) },
			{ type: 'assistant_message', content: text('as you say') },
			{ type: 'result', exit_status: 'completed', total_cost_usd: 0.5, num_turns: 1, duration_ms: 12 },
		];
		const after = Buffer.concat([
			readFileSync(file),
			Buffer.from(written.map((line) => `${JSON.stringify(line)}\n`).join('')),
		]);
		return { sent: JSON.stringify(messages), after, wrong: lines > 0 ? [] : ['the reader read nothing'] };
	},
};

const partners: readonly Partner[] = [...clients.map(partnerOf), clido];

const noTokens = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const response = { provider: 'anthropic', api: 'anthropic-messages', model: 'claude-sonnet-4-5', usage: noTokens };

function turn(round: number): readonly Draft[] {
	const call = `toolu_reprise_${round}`;
	return [
		{ kind: 'message', role: 'user', content: [{ type: 'text', text: `reprise prompt ${round}` }] },
		{
			kind: 'message',
			role: 'assistant',
			content: [
				{ type: 'text', text: `reprise looks ${round}` },
				{ type: 'tool_call', id: call, name: 'Read', input: { file_path: `/home/dev/notes/${round}.md` } },
			],
			response: { ...response, id: `msg_reprise_${round}a`, stop: 'tool' },
		},
		{
			kind: 'message',
			role: 'user',
			content: [
				{ type: 'tool_result', call, isError: false, content: [{ type: 'text', text: `reprise result ${round}` }] },
			],
		},
		{
			kind: 'message',
			role: 'assistant',
			content: [{ type: 'text', text: `reprise reply ${round}` }],
			response: { ...response, id: `msg_reprise_${round}b`, stop: 'end' },
		},
	];
}

function said(round: number): readonly string[] {
	return ['prompt', 'looks', 'result', 'reply'].map((what) => `reprise ${what} ${round}`);
}

function missing(text: string, wanted: readonly string[]): readonly string[] {
	return wanted.filter((one) => !text.includes(one));
}

async function read(file: string): Promise<string> {
	const entries = path(await openSession(file));
	return entries.flatMap((entry) => (entry.kind === 'message' ? entry.content.map(textOf) : [])).join('\n');
}

function textOf(block: Parameters<typeof blockText>[0]): string {
	return block.type === 'tool_result' ? block.content.map(blockText).join('\n') : blockText(block);
}

/** What each part of the proof found wrong. */
interface Found {
	readonly alternations: readonly string[];
	readonly fork: readonly string[];
	readonly rewind: readonly string[];
}

async function alternate(client: Partner, folder: string): Promise<Found> {
	const file = join(folder, fileNamed(client.format, client.format));
	cpSync(join(root, 'samples', fileNamed(client.format, client.format)), file);
	const machine: Machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: join(folder, 'own') } };
	const wrong: string[] = [];
	const wanted = ['Thanks, I ran it: all green.'];
	const expectAll = (where: string, text: string, all: readonly string[]) => {
		for (const one of missing(text, all)) wrong.push(`${where}: "${one}" is missing`);
	};
	for (let round = 1; round <= rounds; round += 1) {
		await using handle = await openHandle(file, { machine });
		await handle.append(...turn(round));
		wanted.push(...said(round));
		const { sent, after, wrong: seen } = client.resume(file, `client prompt ${round}`, join(folder, `keep-${round}`));
		for (const one of seen) wrong.push(`round ${round}: ${one}`);
		expectAll(`round ${round}, sent by the client`, sent, wanted);
		// The handle stays open: the next append finds what the client wrote as a conflict, and goes on behind it.
		writeFileSync(file, after);
		wanted.push(`client prompt ${round}`);
		await handle.append({ kind: 'message', role: 'user', content: [{ type: 'text', text: `and ${round}` }] });
		wanted.push(`and ${round}`);
		expectAll(`round ${round}, read by Reprise`, await read(file), wanted);
	}
	return { alternations: wrong, ...(await branches(client, file, folder, machine, wanted)) };
}

/** A fork and a rewind to the first reply of Reprise: the client must go on from there. */
async function branches(
	client: Partner,
	file: string,
	folder: string,
	machine: Machine,
	wanted: readonly string[],
): Promise<Pick<Found, 'fork' | 'rewind'>> {
	const way = path(await openSession(file));
	const target = way.find(
		(entry) => entry.kind === 'message' && entry.content.some((block) => textOf(block) === 'reprise reply 1'),
	);
	// Not up to the prompt behind it: OpenClaw puts a prompt that nobody answered into the next one.
	const end = way.findLast((entry) => entry.kind === 'message' && entry.role === 'assistant');
	const taken = wanted.filter((one) => one !== `and ${rounds}`);
	await using handle = await openHandle(file, { machine });
	const name = fileNamed(client.format, 'forked');
	const fork = await handle.fork(end?.id, { to: join(folder, 'fork', name) });
	const forked = client.resume(fork.path, 'after the fork', join(folder, 'keep-fork'));
	const rewound = await handle.rewind(target?.id ?? '');
	const bare = client.resume(rewound.path, 'right after the rewind', join(folder, 'keep-bare'));
	const plain: Draft = { kind: 'message', role: 'user', content: [{ type: 'text', text: 'another way' }] };
	await handle[Symbol.asyncDispose]();
	await using next = await openHandle(rewound.path, { machine });
	await next.append(plain);
	const { sent, wrong } = client.resume(rewound.path, 'after the rewind', join(folder, 'keep-rewind'));
	const left = [...said(2), 'client prompt 1'];
	return {
		fork: [...forked.wrong, ...missing(forked.sent, taken).map((one) => `"${one}" is missing`)],
		rewind: [
			...bare.wrong.map((one) => `before anything follows: ${one}`),
			...wrong,
			...missing(sent, [...said(1), 'another way']).map((one) => `"${one}" is missing`),
			...left.filter((one) => sent.includes(one)).map((one) => `"${one}" is there`),
		],
	};
}

interface Row {
	readonly name: string;
	readonly found: Found;
}

async function prove(client: Partner): Promise<Row> {
	const folder = mkdtempSync(join(tmpdir(), 'reprise-alternate-'));
	mkdirSync(join(folder, 'fork'));
	try {
		return { name: client.name, found: await alternate(client, folder) };
	} catch (error) {
		return { name: client.name, found: { alternations: [String(error)], fork: [], rewind: [] } };
	} finally {
		if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
		else console.log(folder);
	}
}

function page(rows: readonly Row[]): string {
	const cell = (wrong: readonly string[]): string =>
		wrong.length === 0 ? 'yes' : wrong.join('; ').replaceAll('|', '\\|');
	return [
		'# Reprise and the real clients in turn',
		'',
		`Made by \`node scripts/alternate.ts\`: ${rounds} times over Reprise appends a turn with a tool call to a session, then the real client`,
		'resumes it and appends its own, while Reprise holds the session open. Then the client is given a fork of it, and the session',
		'itself after a rewind to the first round. _yes_: every turn of both was in what the client sent and in what Reprise read, the',
		'client sent exactly the messages that `reprise context --client VERSION` prints, and a server as strict as the public API took them.',
		'Claude Code 2.1.29 knows no pointers: it sees a rewind as soon as something follows it.',
		'Clido cannot be run here: the rules of its own reader decide, and its turns are written as it writes them.',
		'',
		`| client | ${rounds} alternations | fork | rewind |`,
		'|---|---|---|---|',
		...rows.map(
			({ name, found }) => `| ${name} | ${cell(found.alternations)} | ${cell(found.fork)} | ${cell(found.rewind)} |`,
		),
		'',
	].join('\n');
}

const asked = process.argv.slice(2);
const chosen = partners.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
const rows: Row[] = [];
for (const client of chosen) {
	const row = await prove(client);
	rows.push(row);
	const wrong = Object.entries(row.found).flatMap(([part, found]) => found.map((one: string) => `${part}: ${one}`));
	console.log(`${row.name}: ${wrong.length === 0 ? `${rounds} alternations, a fork and a rewind` : 'FAILED'}`);
	for (const one of wrong) console.log(`  ${one}`);
	if (wrong.length > 0) process.exitCode = 1;
}
if (chosen.length === partners.length) writeFileSync(join(root, 'docs/alternation.md'), page(rows));
