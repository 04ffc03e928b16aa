/** The flags of the client (`reprise [prompt]`): names, help texts, groups and defaults. Those that only hosts send are in host-options.ts. */
import { type Command, Option } from 'commander';
import type { ClientOptions } from '../../client/options.ts';
import {
	amount,
	choice,
	count,
	formatNamed,
	formatWords,
	hidden,
	listed,
	newFormat,
	permissionModes,
} from '../choices.ts';
import type { ExitCode } from '../main.ts';
import { hostOptions, thinkingGiven } from './host-options.ts';

/** Hosts name `auto`, too, and are told that it has no effect here: nobody else is offered it. */
const modeChoice = (given: string): string => (given === 'auto' ? given : choice(...permissionModes)(given));

/** What the command alone has: how it is asked, and how it answers. */
export interface CommandOptions extends ClientOptions {
	readonly print?: boolean;
	/** The console prints lines, and redraws nothing. */
	readonly plain?: boolean;
	readonly outputFormat?: 'text' | 'json' | 'stream-json';
	readonly inputFormat?: 'text' | 'stream-json';
	readonly includePartialMessages?: boolean;
	readonly verbose?: boolean;
	/** `stdio`: the process that drives the client is asked; or the tool of an MCP server that answers. */
	readonly permissionPromptTool?: string;
	/** With stream-json: every line that is written into the session is shown, too. */
	readonly sessionMirror?: boolean;
	readonly replayUserMessages?: boolean;
	readonly includeHookEvents?: boolean;
}

/** Defines the client on the program itself: it has no name of its own. */
export function defineClient(program: Command, outcome: { code: ExitCode }): void {
	clientOptions(program.argument('[prompt...]', 'what to do; - or nothing reads it from stdin'));
	program.action(async (words: readonly string[], options: CommandOptions) => {
		const { runClient } = await import('./start-client.ts');
		outcome.code = await runClient(words.join(' '), options);
	});
}

/** The flags, under headings. Their names are those that users of Claude Code and its SDK know. */
export function clientOptions(program: Command): void {
	askOptions(program);
	sessionOptions(program);
	permissionOptions(program);
}

export function askOptions(program: Command): void {
	program
		.optionsGroup('Ask an agent (reprise -p "what to do"):')
		.option('-p, --print', 'answer and exit; without it, on a terminal, the console opens')
		.option('--plain', 'the console in plain lines that are never redrawn, for screen readers (also: ACCESSIBLE=1)');
	modelOptions(program);
	program
		.option(
			'--output-format <format>',
			'text, json (one document) or stream-json (frames)',
			choice('text', 'json', 'stream-json'),
		)
		.option('--input-format <format>', 'text, or stream-json: frames on stdin', choice('text', 'stream-json'))
		.option('--include-partial-messages', 'with stream-json: also the pieces of replies as they stream');
	limitOptions(program);
	program.option('--verbose', 'report on stderr what happens');
}

/** Who answers. */
export function modelOptions(program: Command): void {
	program
		.option(
			'--model <provider/name>',
			'the model to ask; default: the one that answered last, or the first that is set up',
		)
		.option('--script <file>', 'play this script instead of asking a model (the same as --model offline/script:FILE)')
		.option('--thinking <level>', 'how hard the model thinks: off, minimal, low, medium or high', thinkingGiven);
}

/** How far it goes, and what it is told. */
export function limitOptions(program: Command): void {
	program
		.option('--max-turns <n>', 'at most this many requests to the model', count)
		.option('--max-budget-usd <amount>', 'stop asking the model once this much is spent', amount)
		.option('--system-prompt <text>', 'replaces the usual system prompt')
		.option('--append-system-prompt <text>', 'is added to the usual system prompt');
}

function sessionOptions(program: Command): void {
	program
		.optionsGroup('Which session:')
		.option('-c, --continue', 'go on with the newest session of this project')
		.addOption(
			new Option(
				'-r, --resume [session]',
				'go on with this session: a file, an id, a title, or last; alone: choose',
			).preset(''),
		);
	resumeOptions(program, 'with -c or -r: ');
	program.option('--session-id <id>', 'the id of a new session');
	formatOption(program);
	program.option(
		'--session-file <path>',
		'where a new session is written: a file, or FOLDER/ laid out as a client’s home; default: where its client looks for it',
	);
}

export function formatOption(program: Command): void {
	program.option(
		'--session-format <format>',
		`the format of a new session: ${formatWords.join(', ')}; default: ${newFormat}; a session begun as openclaw is one of pi`,
		formatNamed,
	);
}

/** `when`: the flags that each of them needs. */
export function resumeOptions(program: Command, when = ''): void {
	program
		.option('--fork-session', `${when}go on in a copy, and leave the session as it is`)
		.option('--resume-session-at <entry>', `${when}go on from this entry`)
		.option(
			'--session-profile <profile>',
			'client or published; default: client for a new session, else the one it was begun in',
			choice('client', 'published'),
		)
		.option('--cwd <folder>', 'work in this folder; default: the current one, wherever the session was before');
}

export function permissionOptions(program: Command): void {
	program
		.optionsGroup('What it may do:')
		.option('--permission-mode <mode>', permissionModes.join(', '), modeChoice)
		.option('--dangerously-skip-permissions', 'the same as --permission-mode bypassPermissions')
		.option('--allowedTools <rules...>', 'allowed without asking, such as "Bash(npm test:*)" Edit', listed)
		.option('--disallowedTools <rules...>', 'never allowed', listed)
		.option('--tools <names...>', 'only these of the tools that come with it', listed)
		.option('--mcp-config <configs...>', 'more MCP servers: files or JSON texts with mcpServers', listed)
		.option('--strict-mcp-config', 'no MCP servers but those of --mcp-config')
		.option('--add-dir <folders...>', 'more folders that the agent may work in', listed)
		.option('--settings <file or JSON>', 'settings of this run, before those of the user and the project')
		.option('--trust', 'let what this folder brings count in this run: allow rules, hooks, variables, commands …');
	for (const option of quietOptions()) program.addOption(option);
}

/** Second spellings, and what drivers such as the SDK send along. */
function quietOptions(): readonly Option[] {
	return [
		hidden('--allowed-tools <rules...>').argParser(listed),
		hidden('--disallowed-tools <rules...>').argParser(listed),
		hidden('--permission-prompt-tool <name>'),
		hidden('--session-mirror'),
		hidden('--replay-user-messages'),
		hidden('--include-hook-events'),
		hidden('--setting-sources [names]'),
		hidden('--allow-dangerously-skip-permissions'),
		...hostOptions(),
	];
}
