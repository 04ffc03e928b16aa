/** Names that may be files, among the arguments of a program of which nobody knows what it opens. */
import { filesOf } from './file-commands.ts';
import type { ShellWord } from './shell-words.ts';
import { takesTexts } from './text-programs.ts';
import { programName } from './wrappers.ts';

/** Only some of the files that they read or send are known. */
const partlyKnown: ReadonlySet<string> = new Set(['curl', 'wget', 'perl', 'ruby']);

/** As they stand, and in `@file`, `--option=file`, `name=@file`, `host:file` and `file://…`. */
export function handedNames(words: readonly ShellWord[], home: string): readonly string[] {
	const known = filesOf(words, home) !== undefined && !partlyKnown.has(programName(words[0]) ?? '');
	if (known || takesTexts(words)) return [];
	return words.slice(1).flatMap(({ value = '' }) => {
		const plain = value.replace(/^.*?file:\/\//, '');
		return [plain, ...plain.split(/[=@:,;]/)].filter((name) => name !== '');
	});
}
