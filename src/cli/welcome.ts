/** What `reprise` without arguments prints where it opens no console: the commands to begin with, how many sessions there are, and how long a pipe is looked at. */
import { codecs } from '../codecs/index.ts';
import { countText } from '../export/count-text.ts';
import { discoverSessions } from '../store/find/discover.ts';
import { complain } from '../terminal/prose.ts';
import { terminalWidth } from '../terminal/width.ts';
import { indent, wrap } from '../terminal/wrap.ts';
import { paint, print } from '../terminal/writer.ts';

/** Below this, what a command is for stands on a line of its own. */
const narrowest = 80;

/** So long a pipe is looked at for something that was meant as a prompt. */
const pipedMs = 50;

/** The five commands to begin with, and what there is for them. */
export async function welcome(): Promise<void> {
	const begin: readonly (readonly [command: string, what: string])[] = [
		['reprise ls', 'the sessions of this project (--all: everywhere)'],
		['reprise show last', 'read the newest one'],
		['reprise search WORDS', 'find what was said'],
		['reprise cost --all', 'what it cost'],
		['reprise -c -p "and then?"', 'go on with the newest one, whoever wrote it'],
	];
	const width = terminalWidth();
	const narrow = width < narrowest;
	print(wrap('Reprise finds, reads, prices, continues and moves the sessions of your coding agents.\n', width));
	for (const [command, what] of begin) {
		if (narrow) print(`  ${paint('cyan', command)}\n${indent(wrap(what, width - 4), '    ', '    ')}`);
		else print(`  ${paint('cyan', command.padEnd(28))}${what}`);
	}
	print(wrap(`\n${found()}`, width));
	print(wrap('reprise demo is a tour that needs no key; reprise --help lists everything.', width));
	if (await isPiped()) complain('what comes through a pipe was not read: reprise -p sends it to a model');
}

/** True where something other than a person writes to us, and has. */
async function isPiped(): Promise<boolean> {
	const { stdin } = process;
	if (stdin.isTTY) return false;
	const heard = Promise.withResolvers<boolean>();
	stdin.once('data', () => heard.resolve(true));
	for (const end of ['end', 'error'] as const) stdin.once(end, () => heard.resolve(false));
	const waited = setTimeout(() => heard.resolve(false), pipedMs);
	const found = await heard.promise;
	clearTimeout(waited);
	stdin.destroy();
	return found;
}

function found(): string {
	const counts = new Map<string, number>();
	for (const { agent } of discoverSessions()) counts.set(agent, (counts.get(agent) ?? 0) + 1);
	if (counts.size === 0)
		return `No sessions were found on this machine yet. Known are those of ${codecs.map(({ name }) => name).join(', ')}.`;
	const agents = [...counts].map(([agent, count]) => `${countText(count)} of ${agent}`);
	return `Found on this machine: ${agents.join(', ')}.`;
}
