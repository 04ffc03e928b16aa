/**
 * Reprise and the real clients in turn on one session: `ORACLES=folder node scripts/alternate.ts [NAME…]`. Each of three
 * rounds Reprise appends a turn with a tool call, then the client resumes and appends its own; afterwards every turn must
 * be in what the client sends and in what Reprise reads. A rewind and a fork by Reprise are then given to the client too.
 * What Claude Code sends must each time be exactly what `reprise context` says for its version.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '../src/codecs/index.ts';
import { blockText, type FormatId, path } from '../src/model/index.ts';
import { contextOf } from '../src/store/context.ts';
import type { Draft } from '../src/store/draft.ts';
import { openHandle } from '../src/store/handle.ts';
import { openSession } from '../src/store/open.ts';
import { comparable, differences, type Sent } from '../test/support/claude-code-context.ts';
import { askOracle } from './oracles.ts';

const rounds = 3;
const root = join(import.meta.dirname, '..');

interface Client {
	readonly name: string;
	readonly format: FormatId;
	readonly sample: string;
	/** Lets the client resume `file` with `prompt`. */
	resume(file: string, prompt: string, keep: string): Resumed;
}

interface Resumed {
	readonly sent: string;
	/** The file as the client left it. */
	readonly after: Buffer;
	/** Where it sent something else than Reprise said. */
	readonly differs: readonly string[];
}

interface Answer {
	readonly accepted?: boolean;
	readonly refusal?: string;
	readonly messages?: Sent;
	readonly sessionFilesAfter?: readonly string[];
}

function ask(program: string, args: readonly string[]): Answer {
	const answer = askOracle(program, args) as Answer;
	if (!answer.accepted) throw new Error(`the client refused: ${answer.refusal}`);
	return answer;
}

const claude = (version: string): Client => ({
	name: `claude-code ${version}`,
	format: 'claude-code',
	sample: 'claude-code.jsonl',
	resume(file, prompt, keep) {
		const said = contextOf(file, { client: version, exact: true }).messages;
		const args = ['--client', version, '--session', file, '--cwd', '/home/dev/notes', '--prompt', prompt];
		const answer = ask('claude-code-resume', [...args, '--keep-prompt', '--keep', keep]);
		const [main] = (answer.sessionFilesAfter ?? []).filter((one) => one.endsWith('.jsonl'));
		const differs = differences(comparable(said), comparable(answer.messages ?? [], prompt));
		return { sent: JSON.stringify(answer.messages), after: readFileSync(main ?? ''), differs };
	},
});

const pi = (version: string): Client => ({
	name: `pi ${version}`,
	format: 'openclaw',
	sample: 'openclaw.jsonl',
	resume(file, prompt, keep) {
		const answer = ask('pi-resume', ['--client', version, '--session', file, '--prompt', prompt, '--keep', keep]);
		return { sent: JSON.stringify(answer.messages), after: readFileSync(keep), differs: [] };
	},
});

const cline = (via: string): Client => ({
	name: `cline ${via}`,
	format: 'cline',
	sample: 'cline.messages.json',
	resume(file, prompt, keep) {
		const manifest = file.replace(/\.messages\.json$/, '.json');
		const given = existsSync(manifest) ? ['--manifest', manifest] : [];
		const args = ['--via', via, '--session', file, '--prompt', prompt, '--keep', keep, ...given];
		const answer = ask('cline-resume', args);
		const left = answer.sessionFilesAfter?.find((one) => one.endsWith('.messages.json'));
		return { sent: JSON.stringify(answer.messages), after: readFileSync(left ?? ''), differs: [] };
	},
});

const clients = [claude('2.1.29'), claude('2.1.325'), pi('0.73.1'), pi('0.87.1'), cline('core'), cline('cli')];

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

async function alternate(client: Client, folder: string): Promise<readonly string[]> {
	const file = join(folder, client.sample);
	cpSync(join(root, 'samples', client.sample), file);
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
		const { sent, after, differs } = client.resume(file, `client prompt ${round}`, join(folder, `keep-${round}`));
		for (const one of differs) wrong.push(`round ${round}, context: ${one}`);
		expectAll(`round ${round}, sent by the client`, sent, wanted);
		// The handle stays open: the next append finds what the client wrote as a conflict, and goes on behind it.
		writeFileSync(file, after);
		wanted.push(`client prompt ${round}`);
		await handle.append({ kind: 'message', role: 'user', content: [{ type: 'text', text: `and ${round}` }] });
		wanted.push(`and ${round}`);
		expectAll(`round ${round}, read by Reprise`, await read(file), wanted);
	}
	wrong.push(...(await branches(client, file, folder, machine, wanted)));
	return wrong;
}

/** A fork and a rewind to the first reply of Reprise: the client must go on from there. */
async function branches(
	client: Client,
	file: string,
	folder: string,
	machine: Machine,
	wanted: readonly string[],
): Promise<readonly string[]> {
	const wrong: string[] = [];
	const target = path(await openSession(file)).find(
		(entry) => entry.kind === 'message' && entry.content.some((block) => textOf(block) === 'reprise reply 1'),
	);
	await using handle = await openHandle(file, { machine });
	const name = client.format === 'cline' ? 'forked.messages.json' : 'forked.jsonl';
	const fork = await handle.fork(undefined, { to: join(folder, 'fork', name) });
	const forked = client.resume(fork.path, 'after the fork', join(folder, 'keep-fork'));
	for (const one of missing(forked.sent, wanted)) wrong.push(`fork: "${one}" is missing`);
	for (const one of forked.differs) wrong.push(`fork, context: ${one}`);
	const rewound = await handle.rewind(target?.id ?? '');
	const bare = client.resume(rewound.path, 'right after the rewind', join(folder, 'keep-bare'));
	for (const one of bare.differs) wrong.push(`rewind, before anything follows, context: ${one}`);
	const plain: Draft = { kind: 'message', role: 'user', content: [{ type: 'text', text: 'another way' }] };
	await using next = await openHandle(rewound.path, { machine });
	await handle[Symbol.asyncDispose]();
	await next.append(plain);
	const { sent, differs } = client.resume(rewound.path, 'after the rewind', join(folder, 'keep-rewind'));
	for (const one of differs) wrong.push(`rewind, context: ${one}`);
	for (const one of missing(sent, [...said(1), 'another way'])) wrong.push(`rewind: "${one}" is missing`);
	for (const one of [...said(2), 'client prompt 1']) if (sent.includes(one)) wrong.push(`rewind: "${one}" is there`);
	return wrong;
}

const asked = process.argv.slice(2);
let failed = false;
for (const client of clients) {
	if (asked.length > 0 && !asked.some((name) => client.name.includes(name))) continue;
	const folder = mkdtempSync(join(tmpdir(), 'reprise-alternate-'));
	mkdirSync(join(folder, 'fork'));
	const wrong = await alternate(client, folder).catch((error: unknown) => [String(error)]);
	console.log(`${client.name}: ${wrong.length === 0 ? `${rounds} alternations, a fork and a rewind` : 'FAILED'}`);
	for (const one of wrong) console.log(`  ${one}`);
	if (wrong.length > 0) failed = true;
	if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
	else console.log(`  ${folder}`);
}
process.exitCode = failed ? 1 : 0;
