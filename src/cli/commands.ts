/** The list of commands: names, summaries, groups and order in help, which are given little memory, and which other names (`rm`, `undo`, `log`) lead to which command. */
import type { Command } from 'commander';
import type { ExitCode } from './main.ts';
import { convertGrowth, staySmall, usualGrowth } from './memory.ts';

export type Define = (command: Command, outcome: { code: ExitCode }) => void;

interface Entry {
	readonly summary: string;
	load(): Promise<Define>;
}

/** `growth`: of a command that goes through sessions of gigabytes, whose memory is kept small before anything is loaded. */
function command(summary: string, load: () => Promise<{ readonly define: Define }>, growth?: number): Entry {
	return {
		summary,
		async load() {
			if (growth !== undefined) staySmall(growth);
			return (await load()).define;
		},
	};
}

/** What people do every day comes first. */
const groups: { readonly [heading: string]: { readonly [name: string]: Entry } } = {
	'Every day:': {
		ls: command('list the sessions of all agents in this project, or everywhere', () => import('./commands/ls.ts')),
		show: command(
			'read a session: on the terminal, as Markdown, or as raw records',
			() => import('./commands/show.ts'),
			usualGrowth,
		),
		search: command(
			'find what was said in any session: words, phrases, prefixes',
			() => import('./commands/search.ts'),
			usualGrowth,
		),
		cost: command('what sessions cost, by day, session, project, model or agent', () => import('./commands/cost.ts')),
		stats: command(
			'sessions, turns, tools, tokens and time per project or agent',
			() => import('./commands/stats.ts'),
			usualGrowth,
		),
		resume: command(
			'continue a session, or check first what that would send, leave out and cost',
			() => import('./commands/resume.ts'),
		),
		agents: command('the sub-agents of a session: list, read, go on with one', () => import('./commands/agents.ts')),
		tail: command(
			'follow sessions live: one, those of this project, or all',
			() => import('./commands/tail.ts'),
			usualGrowth,
		),
	},
	'Move a session, or branch off:': {
		handoff: command(
			'give a session to another agent, and say how to go on there',
			() => import('./commands/handoff.ts'),
			convertGrowth,
		),
		return: command(
			'bring a session that was handed off home, with everything said since',
			() => import('./commands/return.ts'),
		),
		convert: command(
			'write a session in another format, and report what that format cannot hold',
			() => import('./commands/convert.ts'),
			convertGrowth,
		),
		fork: command('start a new session as a copy of another, up to an entry', () => import('./commands/fork.ts')),
		rewind: command(
			'take a conversation, its files or both back to an earlier entry',
			() => import('./commands/rewind.ts'),
		),
		uncompact: command(
			'go on from all that was said, as if nothing had been compacted',
			() => import('./commands/uncompact.ts'),
		),
	},
	'Keep them in order:': {
		rename: command('give a session another title, as its own client shows it', () => import('./commands/rename.ts')),
		tag: command('add tags of your own to a session, or remove them', () => import('./commands/tag.ts')),
		archive: command('put a session away without touching it', () => import('./commands/archive.ts')),
		delete: command('move a session with all its files to the trash', () => import('./commands/delete.ts')),
		restore: command('list the trash, or put something back where it was', () => import('./commands/restore.ts')),
		relink: command('let the sessions of a moved or renamed project follow it', () => import('./commands/relink.ts')),
		vault: command('keep transcripts safe from their clients’ clean-up', () => import('./commands/vault.ts')),
		mirror: command(
			'keep copies of sessions elsewhere up to date: PostgreSQL, SQLite or a folder',
			() => import('./commands/mirror.ts'),
		),
	},
	'Look inside, and mend:': {
		inspect: command(
			'what a session file is: format, records, blocks, branches, sub-agents',
			() => import('./commands/inspect.ts'),
		),
		check: command(
			'what is wrong with a session, and what its client makes of that',
			() => import('./commands/check.ts'),
		),
		repair: command(
			'make a damaged session resumable with the smallest edit; the original is kept',
			() => import('./commands/repair.ts'),
		),
		context: command(
			'the messages a model would receive if the session were resumed',
			() => import('./commands/context.ts'),
		),
		replay: command(
			'run a recorded session again, offline: the recording is the model, the tools are real',
			() => import('./commands/replay.ts'),
		),
		allowed: command(
			'what the permission rules would decide about a tool call, and by which rule',
			() => import('./commands/allowed.ts'),
		),
	},
	'For other programs:': {
		acp: command(
			'the agent for editors: Zed, JetBrains, Neovim and others, over the Agent Client Protocol',
			() => import('./commands/acp.ts'),
		),
		mcp: command(
			'your sessions as tools for any MCP client: list, search, read, cost',
			() => import('./commands/mcp.ts'),
		),
	},
	'Get to know it:': {
		demo: command('a tour, offline: sessions of all agents, and an agent at work', () => import('./commands/demo.ts')),
		completion: command(
			'completion of commands, options and sessions for your shell: bash, zsh or fish',
			() => import('./commands/completion.ts'),
		),
	},
};

export const commandGroups: readonly string[] = Object.keys(groups);

export const commands: { readonly [name: string]: Entry & { readonly group: string } } = Object.fromEntries(
	Object.entries(groups).flatMap(([group, entries]) =>
		Object.entries(entries).map(([name, entry]) => [name, { ...entry, group }]),
	),
);

/** What people type who know other programs. */
export const otherNames: { readonly [typed: string]: string } = {
	list: 'ls',
	version: '--version',
	log: 'ls',
	logs: 'ls',
	sessions: 'ls',
	history: 'ls',
	cat: 'show',
	view: 'show',
	open: 'show',
	read: 'show',
	find: 'search',
	grep: 'search',
	costs: 'cost',
	usage: 'cost',
	price: 'cost',
	subagents: 'agents',
	follow: 'tail',
	watch: 'tail',
	move: 'handoff',
	export: 'convert',
	branch: 'fork',
	undo: 'rewind',
	remove: 'delete',
	rm: 'delete',
	trash: 'restore',
	validate: 'check',
	lint: 'check',
	fix: 'repair',
	doctor: 'repair',
	backup: 'vault',
	sync: 'mirror',
	push: 'mirror',
	tour: 'demo',
	continue: '-c -p "…"',
};
