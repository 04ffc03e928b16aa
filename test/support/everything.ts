/**
 * One session with everything at once, through the command: prompts that wait, sub-agents side by side, hooks, shell commands that edit
 * files, compactions by hand and by themselves, and rewinds with files, one of them behind a compaction.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatId } from '../../src/model/index.ts';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { use } from './agents-stage.ts';
import { type ClientStage, framesIn } from './client.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { envFor, modelNames } from './model-server-ask.ts';
import { git } from './rewinding.ts';

const bash = (command: string) => use('Bash', { command });
const helper = (prompt: string) => use('Task', { description: 'A helper', prompt, subagent_type: 'general-purpose' });
const summary = (text: string): ScriptTurnInput => ({
	when: { last: 'is about to be replaced by a summary' },
	text: `<title>Changing files</title><summary>${text}</summary>`,
});

/** The sub-agents find their turns by their task; everything else comes in order. */
const turns: readonly ScriptTurnInput[] = [
	{ when: { first: 'HELPER-ONE' }, content: [use('Read', { file_path: 'a.txt' }), bash('echo one >> a.txt')] },
	{ when: { first: 'HELPER-ONE' }, text: 'One is done.' },
	{ when: { first: 'HELPER-TWO' }, content: [use('Write', { file_path: 'b.txt', content: 'b\n' })] },
	{ when: { first: 'HELPER-TWO' }, text: 'Two is done.' },
	{ when: { first: 'HELPER-THREE' }, content: [bash('sed -i s/b/B/ b.txt')] },
	{ when: { first: 'HELPER-THREE' }, text: 'Three is done.' },
	{ when: { first: 'HELPER-FOUR' }, text: 'Four has nothing to do.' },
	summary('The first summary: a.txt and b.txt.'),
	summary('The second summary, which a rewind takes back.'),
	summary('The third summary: all files.'),
	// Change a.txt
	{
		content: [
			{ type: 'thinking', thinking: 'Two things to do.', signature: 'c2lnbmVk' },
			{ type: 'text', text: 'Looking, and editing in the shell.' },
			use('Read', { file_path: 'a.txt' }),
			bash("sed -i 's/world/World/' a.txt; echo made > made.txt"),
		],
	},
	{ content: [use('Read', { file_path: 'a.txt' })] },
	{ content: [use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' })] },
	{ error: { status: 529, message: 'busy', headers: { 'retry-after': '0' } } },
	{ text: 'Changed it.' },
	{ text: 'Looked once more: it is changed.' },
	// Let two helpers work
	{ content: [{ type: 'text', text: 'Both at once.' }, helper('HELPER-ONE'), helper('HELPER-TWO')] },
	{ text: 'Both are done.' },
	// Now c.txt
	{ content: [bash('echo c > c.txt; mv b.txt moved.txt; rm made.txt')] },
	{ text: 'c.txt is there.' },
	// Now c.txt, otherwise: the conversation becomes too long in the middle of it.
	{
		content: [bash('printf "C\\r\\n" > c.txt; chmod 755 c.txt'), use('Glob', { pattern: '*.txt' })],
		usage: { input: 170_000 },
	},
	{ content: [bash('cat c.txt nowhere.txt')] },
	{ text: 'Otherwise, then.' },
	{ content: [bash('ln -s c.txt link; echo more >> a.txt')] },
	{ text: 'Once more.' },
	// Two more helpers
	{ content: [helper('HELPER-THREE'), helper('HELPER-FOUR')] },
	{ text: 'Those two are done.' },
	// Now the rest
	{ content: [bash('echo rest > rest.txt; git add -A')] },
	{
		content: [
			use('Read', { file_path: 'rest.txt' }),
			use('Edit', { file_path: 'rest.txt', old_string: 'rest', new_string: 'Rest' }),
		],
	},
	{ text: 'The rest is written.' },
	{ text: 'That was all.' },
];

/** Hooks that write down that they ran, add to what the model hears, and keep the first run from ending once. */
function hooksIn(log: string): { readonly [point: string]: readonly object[] } {
	const noted = (point: string, more = '') => ({
		type: 'command',
		command: `cat > /dev/null; echo ${point} >> '${log}'${more}`,
	});
	const adds = (point: string) => {
		const said = { hookSpecificOutput: { hookEventName: point, additionalContext: `A hook heard ${point}.` } };
		return `; echo '${JSON.stringify(said)}'`;
	};
	const once = `; if [ $(grep -c '^Stop$' '${log}') = 1 ]; then echo 'look once more' >&2; exit 2; fi`;
	return {
		UserPromptSubmit: [noted('UserPromptSubmit', adds('UserPromptSubmit'))],
		PreToolUse: [noted('PreToolUse')],
		PostToolUse: [noted('PostToolUse', adds('PostToolUse'))],
		Stop: [noted('Stop', once)],
		PreCompact: [noted('PreCompact')],
		SubagentStart: [noted('SubagentStart')],
		SubagentStop: [noted('SubagentStop')],
	};
}

interface Told {
	readonly kind: string;
	readonly entry?: string;
	readonly text?: string;
}

/** The session between two processes. */
export interface Station {
	/** What was done last. */
	readonly after: string;
	/** The session's file: after a rewind it may be another one. */
	readonly path: string;
	/** Every file that the session was in, the last one included. */
	readonly paths: readonly string[];
	/** Where the model answers, and what it was asked so far. */
	readonly server: ModelServer;
	/** The points that hooks were called at so far, in order. */
	readonly hooks: readonly string[];
	/** What the runs so far came to, in order. */
	readonly results: readonly string[];
}

/** What each process does. */
const processes: readonly ((session: Played) => Promise<void>)[] = [
	(session) => session.ask('Change a.txt', 'Let two helpers work', '/compact keep the names', 'Now c.txt'),
	(session) => session.rewind('prompt', 'Now c.txt'),
	(session) => session.ask('Now c.txt, otherwise', 'And once more?'),
	// Behind the compaction that came by itself.
	(session) => session.rewind('prompt', 'Now c.txt, otherwise'),
	(session) => session.ask('Two more helpers'),
	(session) => session.rewind('reply', 'Those two are done.'),
	(session) => session.ask('/compact', 'Now the rest', 'Was that all?'),
];

/** Plays it to the end; `look` sees it between any two processes and at the end, while the model still answers. */
export async function playEverything(
	stage: ClientStage,
	format: FormatId,
	look: (station: Station) => Promise<void>,
): Promise<void> {
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	const log = join(stage.home, 'hooks.log');
	const groups = Object.entries(hooksIn(log)).map(([point, hooks]) => [point, [{ hooks }]]);
	mkdirSync(join(stage.home, '.claude'), { recursive: true });
	writeFileSync(join(stage.home, '.claude/settings.json'), JSON.stringify({ hooks: Object.fromEntries(groups) }));
	await using server = await startModelServer({ turns, strict: true, fallback: { text: 'Gladly.' } });
	const session = new Played(stage, server, format);
	for (const work of processes) {
		await work(session);
		const { after, path, paths, results } = session;
		const hooks = readFileSync(log, 'utf8').trim().split('\n');
		await look({ after, path, paths, results, hooks, server });
	}
}

class Played {
	readonly #stage: ClientStage;
	readonly #server: ModelServer;
	readonly #format: FormatId;
	after = '';
	path = '';
	readonly paths: string[] = [];
	readonly results: string[] = [];

	constructor(stage: ClientStage, server: ModelServer, format: FormatId) {
		this.#stage = stage;
		this.#server = server;
		this.#format = format;
	}

	/** One process is given all of these at once: all but the first have to wait. */
	async ask(...prompts: readonly string[]): Promise<void> {
		this.after = prompts.join(', ');
		const which = this.path === '' ? ['--session-format', this.#format] : ['-r', this.path];
		const input = prompts.map((content) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
		const wire = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
		const model = ['--model', modelNames.anthropic, '--dangerously-skip-permissions'];
		const { code, out, err } = await this.#stage.run(['-p', ...which, ...wire, ...model], {
			input: input.join(''),
			env: envFor(this.#server.url) as { readonly [name: string]: string },
		});
		if (code !== 0) throw new Error(`${this.after}: ${err}\n${out.slice(-2000)}`);
		const ended = framesIn(out).filter(({ type }) => type === 'result');
		this.results.push(...ended.map(({ subtype, result }) => `${subtype}: ${String(result)}`));
		if (this.path === '') this.#goOnIn((await this.#stage.sessions())[0]?.path ?? '');
	}

	/** Conversation and files go back to what was said. */
	async rewind(kind: 'prompt' | 'reply', text: string): Promise<void> {
		this.after = `back to “${text}”`;
		const { parts } = JSON.parse((await this.#stage.run(['show', this.path, '--json'])).out) as {
			parts: readonly Told[];
		};
		const entry = parts.findLast((part) => part.kind === kind && part.text?.trim() === text)?.entry;
		if (entry === undefined) throw new Error(`nobody said “${text}” in ${this.path}`);
		const { code, out, err } = await this.#stage.run(['rewind', this.path, '--to', entry, '--files', '-y', '--json']);
		if (code !== 0) throw new Error(`${this.after}: ${err}`);
		this.#goOnIn((JSON.parse(out) as { readonly path: string }).path);
	}

	#goOnIn(path: string): void {
		if (path !== this.path) this.paths.push(path);
		this.path = path;
	}
}
