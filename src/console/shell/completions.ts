/** When the line of input completes a command or a file, and what a chosen one puts there. How matches are ranked: ../composer/completion.ts. */
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { mentionOf } from '../../client/commands/fill.ts';
import {
	type Command,
	type Completed,
	canBeNamed,
	commandMatches,
	fileMatches,
	type ProjectFiles,
} from '../composer/completion.ts';

export function completions(commands: () => readonly Command[], files: ProjectFiles): AutocompleteProvider {
	return {
		triggerCharacters: ['@'],
		async getSuggestions(lines, line, column, { signal }): Promise<AutocompleteSuggestions | null> {
			const before = (lines[line] ?? '').slice(0, column);
			const [, called] = line === 0 ? (/^\/(\S*)$/.exec(before) ?? []) : [];
			if (called !== undefined) return suggested(commandMatches(called, commands()), `/${called}`);
			const [, named] = /(?:^|\s)@((?:\\ |\S)*)$/.exec(before) ?? [];
			if (named === undefined) return null;
			// A key that comes meanwhile makes another list of this one: nobody waits for this one to be read.
			const cancelled = new Promise<undefined>((resolve) =>
				signal.addEventListener('abort', () => resolve(undefined), { once: true }),
			);
			const found = await Promise.race([filesFor(named.replaceAll(/\\(\W)/g, '$1'), files, signal), cancelled]);
			return found && !signal.aborted ? suggested(found, `@${named}`) : null;
		},
		applyCompletion(lines, line, column, item, prefix) {
			const text = lines[line] ?? '';
			if (!canBeNamed(item.value)) return { lines, cursorLine: line, cursorCol: column };
			const value = prefix.startsWith('/') ? `/${item.value} ` : fileText(item.value);
			const begin = text.slice(0, column - prefix.length) + value;
			return {
				lines: lines.with(line, begin + text.slice(column)),
				cursorLine: line,
				cursorCol: begin.length,
			};
		},
	};
}

/** A folder is gone on from. */
function fileText(path: string): string {
	return `${mentionOf(path)}${path.endsWith('/') ? '' : ' '}`;
}

/** What was found soon may lack a new file: where nothing fits, all of them are looked at. */
async function filesFor(
	typed: string,
	files: ProjectFiles,
	signal: AbortSignal,
): Promise<readonly Completed[] | undefined> {
	const soon = await files.list();
	const found = signal.aborted ? undefined : await fileMatches(typed, soon, signal);
	if (found?.length !== 0) return found;
	const all = await files.all();
	return all === soon || signal.aborted ? found : await fileMatches(typed, all, signal);
}

function suggested(items: readonly AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
	return items.length === 0 ? null : { items: [...items], prefix };
}
