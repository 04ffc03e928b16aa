/** How the command line speaks about itself: help with everyday commands first, and errors that lead to the right page. */
import { type Command, Help } from 'commander';
import { commandGroups } from './commands.ts';
import { tellPart } from './writer.ts';

const last = 'Options:';

/** Commands come before the options of the client, and options for all commands at the end. */
export function groupedHelp(command: Command, helper: Help): string {
	const [usage = '', about = '', ...blocks] = Help.prototype.formatHelp.call(helper, command, helper).split('\n\n');
	const rank = (block: string): number => {
		const [heading = ''] = block.split('\n');
		if (heading === last) return Number.POSITIVE_INFINITY;
		const place = commandGroups.indexOf(heading);
		return place === -1 ? commandGroups.length : place;
	};
	const sorted = blocks.map((block) => block.trimEnd()).toSorted((a, b) => Math.sign(rank(a) - rank(b)) || 0);
	return `${[usage, about, ...sorted].join('\n\n')}\n`;
}

/** Where to read more about what was typed. */
export function seeHelp(name: string | undefined): string {
	return name === undefined ? 'see reprise --help' : `see reprise ${name} --help`;
}

/** Errors of the parser, as all others are told: one line that says who speaks and where to read more. */
export function tellUsage(text: string, name: string | undefined): void {
	const [message = '', suggestion] = text
		.replace(/^error: /, '')
		.trimEnd()
		.split('\n');
	const meant = suggestion === undefined ? '' : `; ${suggestion.replace(/^\(D(.*)\)$/, 'd$1')}`;
	const ended = meant === '' ? message.replace(/\.$/, '') : message;
	const prompt = name === undefined && message.startsWith('unknown command') ? 'a prompt goes after -p; ' : '';
	tellPart(`reprise: ${ended}${meant} (${prompt}${seeHelp(name)})\n`);
}
