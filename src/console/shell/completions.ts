/** Completion as the library's line of input asks for it. */
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { type Command, commandMatches, fileMatches, type ProjectFiles } from '../composer/completion.ts';

export function completions(commands: () => readonly Command[], files: ProjectFiles): AutocompleteProvider {
	return {
		triggerCharacters: ['@'],
		async getSuggestions(lines, line, column, { signal }): Promise<AutocompleteSuggestions | null> {
			const before = (lines[line] ?? '').slice(0, column);
			const [, called] = line === 0 ? (/^\/(\S*)$/.exec(before) ?? []) : [];
			if (called !== undefined) return suggested(commandMatches(called, commands()), `/${called}`);
			const [, named] = /(?:^|\s)@(\S*)$/.exec(before) ?? [];
			if (named === undefined) return null;
			const list = await files.list();
			return signal.aborted ? null : suggested(fileMatches(named, list), `@${named}`);
		},
		applyCompletion(lines, line, column, item, prefix) {
			const text = lines[line] ?? '';
			const value = prefix.startsWith('/') ? `/${item.value} ` : `@${item.value}${item.value.endsWith('/') ? '' : ' '}`;
			const begin = text.slice(0, column - prefix.length) + value;
			return {
				lines: lines.with(line, begin + text.slice(column)),
				cursorLine: line,
				cursorCol: begin.length,
			};
		},
	};
}

function suggested(items: readonly AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
	return items.length === 0 ? null : { items: [...items], prefix };
}
