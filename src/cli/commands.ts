/** The commands by name. Each lives in a file of its own and is loaded only when it is used. */
import type { Command } from 'commander';
import type { ExitCode } from './main.ts';
import { convertGrowth, staySmall } from './memory.ts';

export type Define = (command: Command, outcome: { code: ExitCode }) => void;

/** For commands that go through sessions of gigabytes: memory is kept small before anything is loaded. */
function lean(load: () => Promise<Define>, growth?: number): Promise<Define> {
	staySmall(growth);
	return load();
}

export const commands: { readonly [name: string]: { readonly summary: string; load(): Promise<Define> } } = {
	inspect: {
		summary: 'what a session file is: format, records, blocks, branches, sub-agents',
		load: async () => (await import('./inspect.ts')).define,
	},
	check: {
		summary: 'what is wrong with a session file, and what its client makes of it',
		load: async () => (await import('./check.ts')).define,
	},
	show: {
		summary: 'a transcript one likes to read: terminal, Markdown, or the raw records',
		load: () => lean(async () => (await import('./show.ts')).define),
	},
	context: {
		summary: 'the messages a model would receive when the session is resumed',
		load: async () => (await import('./context.ts')).define,
	},
	convert: {
		summary: 'write a session in another format and say what that cannot hold; in its own it is the identity',
		load: () => lean(async () => (await import('./convert.ts')).define, convertGrowth),
	},
	handoff: {
		summary: 'write a session where another agent finds it, and say how to go on there',
		load: () => lean(async () => (await import('./handoff.ts')).define, convertGrowth),
	},
	return: {
		summary: 'bring a session that was handed off home, with all that was said since',
		load: async () => (await import('./return.ts')).define,
	},
	fork: {
		summary: 'a new session that starts as a copy of another, up to an entry',
		load: async () => (await import('./fork.ts')).define,
	},
	rewind: {
		summary: 'make the conversation go on from an earlier entry',
		load: async () => (await import('./rewind.ts')).define,
	},
	ls: {
		summary: 'the sessions of all agents in this project, or in all',
		load: async () => (await import('./ls.ts')).define,
	},
	search: {
		summary: 'find what was said in any session: words, phrases, prefixes',
		load: () => lean(async () => (await import('./search.ts')).define),
	},
	tail: {
		summary: 'follow sessions live: one, those of this project, or all',
		load: () => lean(async () => (await import('./tail.ts')).define),
	},
	cost: {
		summary: 'what sessions cost, each response once: by day, session, project, model or agent',
		load: async () => (await import('./cost.ts')).define,
	},
	replay: {
		summary: 'run a recorded session again, offline: the recording is the model, the tools are real',
		load: async () => (await import('./replay.ts')).define,
	},
	allowed: {
		summary: 'what the permission rules would decide about a tool call, and by which rule',
		load: async () => (await import('./allowed.ts')).define,
	},
	rename: {
		summary: 'another title for a session, as its own client shows it',
		load: async () => (await import('./rename.ts')).define,
	},
	tag: {
		summary: 'give a session tags of your own, or take them away',
		load: async () => (await import('./tag.ts')).define,
	},
	archive: {
		summary: 'put a session away, without touching it',
		load: async () => (await import('./archive.ts')).define,
	},
	delete: {
		summary: 'move a session with all its files into the trash',
		load: async () => (await import('./delete.ts')).define,
	},
	restore: {
		summary: 'list the trash, or put something back where it was',
		load: async () => (await import('./restore.ts')).define,
	},
	repair: {
		summary: 'the smallest edit that makes a damaged session resumable; the original is kept',
		load: async () => (await import('./repair.ts')).define,
	},
	relink: {
		summary: 'let the sessions of a moved or renamed project follow it',
		load: async () => (await import('./relink.ts')).define,
	},
	vault: {
		summary: 'keep transcripts safe from their clients’ clean-up',
		load: async () => (await import('./vault.ts')).define,
	},
	stats: {
		summary: 'sessions, turns, tools, tokens and time per project or agent',
		load: () => lean(async () => (await import('./stats.ts')).define),
	},
	demo: {
		summary: 'a tour, offline: sessions of all four agents, and an agent at work',
		load: async () => (await import('./demo.ts')).define,
	},
};
