/** How values of command-line options are checked: names of agents and formats, counts, amounts in dollars, and the wording of what is refused. */
import { InvalidArgumentError, Option } from 'commander';
import type { FormatId } from '../model/index.ts';
import { agents } from '../move/agents.ts';

export function choice<T extends string>(...values: readonly T[]): (given: string) => T {
	return (given) => {
		const found = values.find((value) => value === given);
		if (found === undefined) throw new InvalidArgumentError(oneOf(values));
		return found;
	};
}

function oneOf(values: readonly string[]): string {
	return `Use one of: ${values.join(', ')}.`;
}

/** What a format may be called: by the name of any agent that writes it. */
export const formatNames: readonly string[] = agents.map((agent) => agent.name);
/** The same for people: of agents that share a format a new session is the first one's, whichever is named. */
export const formatWords: readonly string[] = agents.map(({ name, format }) => {
	const first = agents.find((one) => one.format === format)?.name ?? name;
	return first === name ? name : `${name} (writes the same as ${first})`;
});

/** The format that is meant: `pi` and `openclaw` are one. */
export function formatNamed(given: string): FormatId {
	const found = agents.find((agent) => agent.name === given);
	if (found === undefined) throw new InvalidArgumentError(oneOf(formatNames));
	return found.format;
}

export function count(given: string): number {
	if (!/^[1-9]\d*$/.test(given)) throw new InvalidArgumentError('Use a whole number, 1 or more.');
	return Number(given);
}

export function amount(given: string): number {
	// Words that are numbers to the machine alone, such as Infinity or 0x10, are slips of the hand; and what is too large limits nothing.
	const value = /^[\d.e+-]+$/i.test(given) ? Number(given) : 0;
	if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('Use an amount in dollars, such as 0.50.');
	return value;
}

/** An option that may be given several times, or with several values. */
export function listed(given: string, before: readonly string[] = []): readonly string[] {
	return [...before, given];
}

export { newFormat, permissionModes } from '../client/options.ts';

/** An option that help does not list. */
export function hidden(flags: string): Option {
	return new Option(flags).hideHelp();
}
