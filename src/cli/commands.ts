/** The commands by name, in the order and groups in which help lists them. Each lives in a file of its own and is loaded only when it is used. */
import type { Command } from 'commander';
import type { ExitCode } from './main.ts';
import { convertGrowth, staySmall } from './memory.ts';

export type Define = (command: Command, outcome: { code: ExitCode }) => void;

/** For commands that go through sessions of gigabytes: memory is kept small before anything is loaded. */
function lean(load: () => Promise<Define>, growth?: number): Promise<Define> {
	staySmall(growth);
	return load();
}

interface Entry {
	readonly summary: string;
	load(): Promise<Define>;
}

/** What people do every day comes first. */
const groups: { readonly [heading: string]: { readonly [name: string]: Entry } } = {
	'Every day:': {
		ls: {
			summary: 'list the sessions of all agents in this project, or everywhere',
			load: async () => (await import('./ls.ts')).define,
		},
		show: {
			summary: 'read a session: on the terminal, as Markdown, or as raw records',
			load: () => lean(async () => (await import('./show.ts')).define),
		},
		search: {
			summary: 'find what was said in any session: words, phrases, prefixes',
			load: () => lean(async () => (await import('./search.ts')).define),
		},
		cost: {
			summary: 'what sessions cost, by day, session, project, model or agent',
			load: async () => (await import('./cost.ts')).define,
		},
		stats: {
			summary: 'sessions, turns, tools, tokens and time per project or agent',
			load: () => lean(async () => (await import('./stats.ts')).define),
		},
		tail: {
			summary: 'follow sessions live: one, those of this project, or all',
			load: () => lean(async () => (await import('./tail.ts')).define),
		},
	},
	'Move a session, or branch off:': {
		handoff: {
			summary: 'give a session to another agent, and say how to go on there',
			load: () => lean(async () => (await import('./handoff.ts')).define, convertGrowth),
		},
		return: {
			summary: 'bring a session that was handed off home, with everything said since',
			load: async () => (await import('./return.ts')).define,
		},
		convert: {
			summary: 'write a session in another format, and report what that format cannot hold',
			load: () => lean(async () => (await import('./convert.ts')).define, convertGrowth),
		},
		fork: {
			summary: 'start a new session as a copy of another, up to an entry',
			load: async () => (await import('./fork.ts')).define,
		},
		rewind: {
			summary: 'make a conversation go on from an earlier entry',
			load: async () => (await import('./rewind.ts')).define,
		},
	},
	'Keep them in order:': {
		rename: {
			summary: 'give a session another title, as its own client shows it',
			load: async () => (await import('./rename.ts')).define,
		},
		tag: {
			summary: 'add tags of your own to a session, or remove them',
			load: async () => (await import('./tag.ts')).define,
		},
		archive: {
			summary: 'put a session away without touching it',
			load: async () => (await import('./archive.ts')).define,
		},
		delete: {
			summary: 'move a session with all its files to the trash',
			load: async () => (await import('./delete.ts')).define,
		},
		restore: {
			summary: 'list the trash, or put something back where it was',
			load: async () => (await import('./restore.ts')).define,
		},
		relink: {
			summary: 'let the sessions of a moved or renamed project follow it',
			load: async () => (await import('./relink.ts')).define,
		},
		vault: {
			summary: 'keep transcripts safe from their clients’ clean-up',
			load: async () => (await import('./vault.ts')).define,
		},
	},
	'Look inside, and mend:': {
		inspect: {
			summary: 'what a session file is: format, records, blocks, branches, sub-agents',
			load: async () => (await import('./inspect.ts')).define,
		},
		check: {
			summary: 'what is wrong with a session, and what its client makes of that',
			load: async () => (await import('./check.ts')).define,
		},
		repair: {
			summary: 'make a damaged session resumable with the smallest edit; the original is kept',
			load: async () => (await import('./repair.ts')).define,
		},
		context: {
			summary: 'the messages a model would receive if the session were resumed',
			load: async () => (await import('./context.ts')).define,
		},
		replay: {
			summary: 'run a recorded session again, offline: the recording is the model, the tools are real',
			load: async () => (await import('./replay.ts')).define,
		},
		allowed: {
			summary: 'what the permission rules would decide about a tool call, and by which rule',
			load: async () => (await import('./allowed.ts')).define,
		},
	},
	'Get to know it:': {
		demo: {
			summary: 'a tour, offline: sessions of all agents, and an agent at work',
			load: async () => (await import('./demo.ts')).define,
		},
		completion: {
			summary: 'completion of commands, options and sessions for your shell: bash, zsh or fish',
			load: async () => (await import('./completion.ts')).define,
		},
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
	tour: 'demo',
	resume: '-r SESSION -p "…"',
	continue: '-c -p "…"',
};
