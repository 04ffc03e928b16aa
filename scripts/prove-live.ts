/** What Reprise writes while it runs, given to the real clients: the situations (interrupted, killed, compacted, sub-agents …) and what counts as held. Writes docs/live.md. */
// Run as `ORACLES=folder node scripts/prove-live.ts [--only SITUATION] [CLIENT…]`. A scripted run with real tools is written in each client's format: whole, in the middle of a conversation, with every
// tool, with two sub-agents at once, interrupted in a reply and in a tool, left by a process that was killed, and, through the built command,
// with everything at once. `reprise check` must find no error, and each client must open the file and send exactly what `reprise context`
// says for its version. For Clido, which cannot be run, the rules of its own reader decide. Asked for all clients and situations, it
// writes docs/live.md.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentConfig } from '../src/agent/config.ts';
import type { PermissionMode, Provider } from '../src/agent/contracts.ts';
import { builtinAgents } from '../src/agent/sub-agents/builtin-agents.ts';
import { SessionReader } from '../src/clido.ts';
import { startPrompt } from '../src/client/commands/start-prompt.ts';
import type { FormatId, JsonObject } from '../src/model/index.ts';
import { type Certificate, certify, clients } from '../src/move/certify.ts';
import type { ScriptTurnInput } from '../src/providers/script.ts';
import { uncompactSession } from '../src/store/manage/uncompact.ts';
import { checkFile } from '../src/store/reader/check.ts';
import { contextOf } from '../src/store/reader/context.ts';
import { scripted, stage } from '../test/support/agent.ts';
import { ClientStage } from '../test/support/client.ts';
import { playEverything } from '../test/support/everything.ts';
import { scratchMachine } from '../test/support/scratch.ts';
import { everyTool, everyToolConfig } from './every-tool.ts';
import { oracles } from './oracles.ts';

const use = (name: string, input: Record<string, string | boolean>) => ({ type: 'tool_use' as const, name, input });

const work: readonly ScriptTurnInput[] = [
	{
		content: [
			{ type: 'thinking', thinking: 'Two files to look at.', signature: 'c2lnbmVk' },
			{ type: 'text', text: 'Looking at both.' },
			use('Read', { file_path: 'a.txt' }),
			use('Bash', { command: 'echo hi' }),
		],
	},
	{ content: [use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' })] },
	{ error: { status: 529, message: 'busy' } },
	{ text: 'Changed it.' },
];

const helper = (prompt: string, subagent_type: string, more: { readonly run_in_background?: boolean } = {}) =>
	use('Task', { description: 'A helper', prompt, subagent_type, ...more });

interface Situation {
	readonly name: string;
	readonly turns: readonly ScriptTurnInput[];
	readonly prompts: readonly string[];
	/** The event at which the run is interrupted, or the process killed. */
	readonly interrupt?: string;
	readonly kill?: string;
	/** What else the run needs, and the mode of its last prompt. */
	readonly config?: (ends: AsyncDisposableStack) => Partial<AgentConfig> | Promise<Partial<AgentConfig>>;
	readonly lastMode?: PermissionMode;
	/** The clients get the copy without its compactions. */
	readonly uncompacted?: boolean;
	/** Played by the command itself, in several processes: `turns` and `prompts` are its own. */
	readonly byCommand?: boolean;
}

/** Compacted by itself between two calls, because the first reply fills the window, and once more because the user wants it. */
const compacted: Omit<Situation, 'name'> = {
	turns: [
		{
			when: { last: 'is about to be replaced by a summary' },
			repeat: true,
			text: '<title>Changing a file</title><summary>1. The user wants a.txt changed.</summary>',
		},
		...work.map((turn, index) => (index === 0 ? { ...turn, usage: { input: 90_000 } } : turn)),
		{ text: 'Two.' },
		{ text: 'Three.' },
	],
	prompts: ['Change a.txt', 'and?', '/compact keep the names', 'and?'],
	config: () => ({ compaction: { auto: true, window: 100_000, words: 5000 } }),
};

const situations: readonly Situation[] = [
	{ name: 'whole', turns: work, prompts: ['Change a.txt'] },
	{
		name: 'three prompts',
		turns: [...work, { text: 'Two.' }, { text: 'Three.' }],
		prompts: ['Change a.txt', 'and?', 'and?'],
	},
	{
		name: 'interrupted in a reply',
		turns: [...work, { text: 'A long story follows here', chunk: 3, chunkDelayMs: 20 }],
		prompts: ['Change a.txt', 'tell'],
		interrupt: 'text_delta',
	},
	{
		name: 'interrupted in a tool',
		turns: [...work, { content: [{ type: 'text', text: 'Running.' }, use('Bash', { command: 'sleep 20' })] }],
		prompts: ['Change a.txt', 'run'],
		interrupt: 'tool_execution_start',
	},
	{
		name: 'killed in a tool',
		turns: [...work, { content: [{ type: 'text', text: 'Running.' }, use('Bash', { command: 'sleep 20' })] }],
		prompts: ['Change a.txt', 'run'],
		kill: 'tool_execution_start',
	},
	{
		name: 'killed in a reply',
		turns: [...work, { text: 'A long story follows here', chunk: 3, chunkDelayMs: 20 }],
		prompts: ['Change a.txt', 'tell'],
		kill: 'text_delta',
	},
	{
		name: 'every tool',
		turns: everyTool,
		prompts: ['Use everything', 'Plan the rest'],
		config: everyToolConfig,
		lastMode: 'plan',
	},
	{ name: 'compacted twice', ...compacted },
	// Nothing is said behind the summary: the client has to find the kept reply by itself.
	{ name: 'compacted at the end', ...compacted, prompts: compacted.prompts.slice(0, -1) },
	{ name: 'uncompacted', ...compacted, uncompacted: true },
	{
		name: 'sub-agents',
		turns: [
			{ when: { first: 'HELPER-ONE' }, content: [use('Read', { file_path: 'a.txt' })] },
			{ when: { first: 'HELPER-ONE' }, text: 'It says hello.' },
			{ when: { first: 'HELPER-TWO' }, content: [use('Write', { file_path: 'b.txt', content: 'b' })] },
			{ when: { first: 'HELPER-TWO' }, text: 'b.txt is written.' },
			{
				when: { first: 'Let two' },
				content: [helper('HELPER-ONE', 'general-purpose'), helper('HELPER-TWO', 'general-purpose')],
			},
			{ when: { first: 'Let two' }, text: 'Both are done.' },
			{ when: { first: 'Let two' }, text: 'Nothing more.' },
		],
		prompts: ['Let two helpers work', 'and?'],
		config: () => ({ agents: { types: builtinAgents, system: ({ system }) => system } }),
	},
	{
		// In Cline's sessions they are teammates.
		name: 'helpers in the background',
		turns: [
			{ when: { first: 'HELPER-ONE' }, content: [use('Read', { file_path: 'a.txt' })], delayMs: 50 },
			{ when: { first: 'HELPER-ONE' }, text: 'It says hello.' },
			{
				when: { first: 'Let one' },
				content: [helper('HELPER-ONE', 'general-purpose', { run_in_background: true })],
			},
			{ when: { first: 'Let one', any: 'It says hello' }, text: 'Now I know.', repeat: true },
			{ when: { first: 'Let one' }, text: 'It works on it.' },
		],
		prompts: ['Let one helper work', 'and?'],
		config: () => ({ agents: { types: builtinAgents, system: ({ system }) => system, awaited: true } }),
	},
	{ name: 'everything at once', turns: [], prompts: [], byCommand: true },
];

interface Written {
	readonly path: string;
	readonly cwd: string;
	/** What was done before, where clients look at a session more than once. */
	readonly after?: string;
}

/** Runs a situation under `root`, and says first where it writes, because it may not live to say so later. */
async function play(situation: Situation, format: FormatId, root: string): Promise<void> {
	const { turns, prompts, interrupt, kill, lastMode } = situation;
	if (situation.byCommand) {
		// Not disposed of: the client is still to look at it.
		const command = new ClientStage(root);
		const written: Written[] = [];
		await playEverything(command, format, async ({ path, after }) => {
			const folder = join(root, `station-${written.length}`);
			cpSync(dirname(path), folder, { recursive: true });
			withoutPlaces(folder);
			written.push({ path: join(folder, basename(path)), cwd: command.cwd, after });
		});
		writeFileSync(join(root, 'written.json'), JSON.stringify(written));
		return;
	}
	const scratch = scratchMachine(root);
	await using ends = new AsyncDisposableStack();
	const setting = { format, scratch, config: (await situation.config?.(ends)) ?? {} };
	const { handle, config, ...work } = await stage(asAnthropic(scripted([...turns])), setting);
	const written: Written = { path: handle.path, cwd: config.cwd };
	writeFileSync(join(root, 'written.json'), JSON.stringify([written]));
	for (const [index, prompt] of prompts.entries()) {
		const last = index === prompts.length - 1;
		const now = last && lastMode !== undefined ? { ...config, mode: lastMode } : config;
		const run = startPrompt(handle, work.conversation, prompt, now, {
			onEvent(event) {
				const type = event.type === 'message_update' ? event.assistantMessageEvent.type : event.type;
				if (last && type === interrupt) setTimeout(() => run.interrupt(), 30);
				if (last && type === kill) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 30);
			},
		});
		const { problem } = await run.result;
		if (problem !== undefined && interrupt === undefined) throw new Error(problem);
	}
	await handle[Symbol.asyncDispose]();
	// Clido sends everything anyway.
	if (!situation.uncompacted || format === 'clido') return;
	const { path } = await uncompactSession(handle.path);
	writeFileSync(join(root, 'written.json'), JSON.stringify([{ ...written, path } satisfies Written]));
}

/** Cline's manifest names the compaction by its place, which a client in a home of its own does not have; it looks beside it, too. */
function withoutPlaces(folder: string): void {
	for (const name of readdirSync(folder).filter((one) => /^\d+_\w+\.json$/.test(one))) {
		const { compaction_path: _, ...manifest } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject;
		writeFileSync(join(folder, name), JSON.stringify(manifest));
	}
}

/** The script plays for Anthropic: what it says counts as said by a model of theirs. */
function asAnthropic(provider: Provider): Provider {
	const theirs = { provider: 'anthropic', api: 'anthropic-messages' };
	return {
		id: theirs.provider,
		api: theirs.api,
		async *stream(request, signal) {
			for await (const event of provider.stream(request, signal)) {
				if (event.type === 'start') Object.assign(event.partial, theirs);
				yield event;
			}
		},
	};
}

/** In a process of its own, because some do not survive it. */
function playApart(situation: Situation, format: FormatId, root: string): readonly Written[] {
	const args = [import.meta.filename, '--play', situation.name, format, root];
	const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	const died = signal === 'SIGKILL';
	if (died !== (situation.kill !== undefined) || (!died && status !== 0)) {
		throw new Error(`${situation.name} in ${format} went wrong: ${stderr}`);
	}
	return JSON.parse(readFileSync(join(root, 'written.json'), 'utf8')) as readonly Written[];
}

interface Row {
	readonly client: string;
	readonly situation: string;
	readonly verdict: string;
}

/** A client that can be run, or the rules of one that cannot. */
interface Judge {
	readonly name: string;
	readonly format: FormatId;
	judge(written: Written): Promise<Certificate>;
}

const clido: Judge = {
	name: 'Clido 1.0.15 (its reader’s rules)',
	format: 'clido',
	async judge({ path }) {
		const { refused } = contextOf(path);
		const read = [...SessionReader.open(path)].length > 0;
		const opened = read && refused === undefined;
		return { client: clido.name, opened, ...(refused === undefined ? {} : { note: refused }) };
	},
};

const judges: readonly Judge[] = [
	...clients.map((client) => ({
		name: client.name,
		format: client.agent === 'pi' ? ('openclaw' as const) : (client.agent as FormatId),
		judge: (written: Written) => certify(oracles, client, written),
	})),
	clido,
];

async function prove(judge: Judge, situation: Situation): Promise<Row> {
	const root = mkdtempSync(join(tmpdir(), 'reprise-live-'));
	try {
		const looks = playApart(situation, judge.format, root);
		const verdicts: string[] = [];
		let best = 'nothing was written';
		for (const written of looks) {
			const said = verdict(await judge.judge(written), errorsIn(written.path));
			if (!isGood(said)) verdicts.push(written.after === undefined ? said : `after ${written.after}: ${said}`);
			best = said;
		}
		return { client: judge.name, situation: situation.name, verdict: verdicts.join('; ') || best };
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

/** The errors that `reprise check` finds. */
function errorsIn(path: string): readonly string[] {
	const errors = checkFile(path, 'client').issues.filter(({ severity }) => severity === 'error');
	return errors.map(({ message }) => message);
}

function verdict({ opened, equal, rejected, note }: Certificate, errors: readonly string[]): string {
	if (errors.length > 0) return `check: ${errors.join('; ')}`;
	if (!opened) return `refused: ${note}`;
	if (rejected) return `the API refused: ${rejected}`;
	if (equal === undefined) return opens;
	return equal ? 'yes' : `sent something else: ${note}`;
}

/** What is said of a client that nobody can ask what it sends. */
const opens = 'opens';
const isGood = (verdict: string): boolean => verdict === 'yes' || verdict === opens;

function page(rows: readonly Row[]): string {
	const names = [...new Set(rows.map(({ client }) => client))];
	const cell = (client: string, situation: string): string => {
		const found = rows.find((row) => row.client === client && row.situation === situation);
		return found?.verdict ?? '';
	};
	return [
		'# Sessions written live, in the real clients',
		'',
		'Made by `node scripts/prove-live.ts`: Reprise runs a scripted conversation with real tools and writes it in the client’s own format as it',
		'happens; then the real client resumes the file. _yes_: it opened the file and sent exactly the messages that',
		'`reprise context --client VERSION` prints, a server as strict as the public API took them, and `reprise check` finds no error. _opens_: its',
		'reader takes the file and `reprise check` finds no error; what the client would send cannot be seen.',
		'',
		'_Every tool_ is a session with a call of each tool, one of a server that tells how far it is, a skill, and hooks at every point; calls that',
		'a rule, a hook and the user have denied; commands in the background, waited for and ended; a long one; and a pull request.',
		'',
		'_Everything at once_ is one session that the command writes in several processes: prompts that wait, sub-agents side by side, hooks,',
		'shell commands that edit files, compactions by hand and by itself, and rewinds with files, one of them behind a compaction.',
		'',
		`| client | ${situations.map(({ name }) => name).join(' | ')} |`,
		`|---|${situations.map(() => '---').join('|')}|`,
		...names.map((client) => `| ${client} | ${situations.map(({ name }) => cell(client, name)).join(' | ')} |`),
		'',
	].join('\n');
}

const [mode, name, format, root] = process.argv.slice(2);
if (mode === '--play') {
	const situation = situations.find((one) => one.name === name);
	if (!situation || !root) throw new Error('--play NAME FORMAT FOLDER');
	await play(situation, format as FormatId, root);
} else {
	const { values, positionals: wanted } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
	const played = situations.filter((one) => values.only === undefined || one.name === values.only);
	const chosen = judges.filter((judge) => wanted.length === 0 || wanted.some((one) => judge.name.includes(one)));
	const rows: Row[] = [];
	for (const judge of chosen) {
		for (const situation of played) {
			const row = await prove(judge, situation);
			rows.push(row);
			console.log(`${row.client}, ${row.situation}: ${row.verdict}`);
		}
	}
	if (chosen.length === judges.length && played.length === situations.length)
		writeFileSync(join(import.meta.dirname, '../docs/live.md'), page(rows));
	process.exitCode = rows.every((row) => isGood(row.verdict)) ? 0 : 1;
}
