/** The order and layout of help texts, and the wording of usage errors: what was probably meant, and which help page says more. */
import { type Command, Help } from 'commander';
import { quoted } from '../model/quoted.ts';
import { complain } from '../terminal/prose.ts';
import { indent, wrap } from '../terminal/wrap.ts';
import { commandGroups } from './commands.ts';

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

/** Where the column of descriptions would be too narrow to read, each stands below what it describes. */
export function fittingItem(this: Help, term: string, widest: number, description: string): string {
	const width = this.helpWidth ?? 80;
	const wide = width - widest - 4 >= this.minWidthToWrap;
	if (wide || description === '') return Help.prototype.formatItem.call(this, term, widest, description, this);
	return `  ${term}\n${indent(wrap(description, width - 6, false), '      ', '      ')}`;
}

/** Where to read more about what was typed. */
export function seeHelp(name: string | undefined): string {
	return name === undefined ? 'see reprise --help' : `see reprise ${name} --help`;
}

/** Errors of the parser, as all others are told: one line that says who speaks and where to read more. */
export function tellUsage(text: string, name: string | undefined, given: readonly string[] = []): void {
	const [message = '', suggestion] = text
		.replace(/^error: /, '')
		.trimEnd()
		.split('\n');
	const meant = suggestion === undefined ? '' : `; ${suggestion.replace(/^\(D(.*)\)$/, 'd$1')}`;
	const ended = meant === '' ? message.replace(/\.$/, '') : message;
	const prompt = name === undefined && message.startsWith('unknown command') ? `${promptHint(given)}; ` : '';
	complain(`${ended}${meant} (${prompt}${seeHelp(name)})`);
}

/** Several words that are no command were meant as a prompt. */
function promptHint(given: readonly string[]): string {
	const words = given.length > 1 && !given.some((one) => one.startsWith('-'));
	return words ? `a prompt of several words is quoted: reprise ${quoted(given.join(' '))}` : 'a prompt goes after -p';
}
