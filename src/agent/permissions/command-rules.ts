/** Whether a rule such as `npm test:*` or `git * --force` names a shell command. */
import type { ShellWord } from './shell-words.ts';

/** Texts between which anything may stand; `open` also takes the first one alone. */
interface CommandPattern {
	readonly parts: readonly string[];
	readonly open: boolean;
}

export function commandPattern(content: string): CommandPattern {
	if (content.endsWith(':*')) return { parts: [`${content.slice(0, -2)} `, ''], open: true };
	const parts: string[] = [''];
	for (const [sign] of content.matchAll(/\\[*\\]|./gs)) {
		if (sign === '*') parts.push('');
		else parts[parts.length - 1] += sign.length > 1 ? sign.slice(1) : sign;
	}
	const open = parts.length === 2 && parts[1] === '' && (parts[0] ?? '').endsWith(' ');
	return { parts, open };
}

/** Part after part, without going back: a regular expression would try `*a*a*a*` for minutes. */
export function fitsText({ parts, open }: CommandPattern, text: string): boolean {
	const first = parts[0] ?? '';
	if (parts.length === 1) return text === first;
	if (open && text === first.slice(0, -1)) return true;
	const last = parts.at(-1) ?? '';
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	let at = first.length;
	for (const part of parts.slice(1, -1)) {
		const found = text.indexOf(part, at);
		if (found === -1) return false;
		at = found + part.length;
	}
	return at <= text.length - last.length;
}

/** An allow rule: the text has to be as it is written, and for a rule without a wildcard the blanks too. */
export function allowsCommand(content: string, words: readonly ShellWord[], before: string, tidy: boolean): boolean {
	const pattern = commandPattern(content);
	if (pattern.parts.length === 1 && !tidy) return false;
	return fitsText(pattern, before + rawText(words));
}

/** The command's name may be quoted, unless a blank in it would read as two words; its arguments are compared as they are written. */
function rawText(words: readonly ShellWord[]): string {
	const shown = ({ raw, value = raw }: ShellWord): string => (/\s/.test(value) ? raw : value);
	return words.map((word, index) => (index === 0 ? shown(word) : word.raw)).join(' ');
}

export type Certainty = 'certain' | 'possible' | 'no';

/** A rule that denies or asks: by what the words mean. What cannot be known may be anything, also nothing or several words. */
export function namesCommand(content: string, words: readonly ShellWord[], before = ''): Certainty {
	const pattern = commandPattern(spaced(content));
	const texts = [words.map(({ value, raw }) => value ?? raw), words.map(({ raw }) => raw)];
	const unknown = words.findIndex(({ value, glob }) => value === undefined || glob !== undefined);
	const known = words.slice(0, unknown === -1 ? undefined : unknown).map(({ value }) => value ?? '');
	if (unknown === -1) {
		return texts.some((text) => fitsText(pattern, before + text.join(' '))) ? 'certain' : 'no';
	}
	const first = pattern.parts[0] ?? '';
	const open = words[unknown];
	const start = open?.glob === undefined ? (open?.start ?? '') : (/^[^*?[\\]*/.exec(open.glob)?.[0] ?? '');
	const head = before + [...known, start].join(' ');
	if (pattern.parts.length > 1 && unknown > 0) {
		if (pattern.open && `${before}${known.join(' ')} `.startsWith(first)) return 'certain';
		if (texts.some((text) => fitsText(pattern, before + text.join(' ')))) return 'certain';
	}
	return first.startsWith(head) || head.startsWith(first) ? 'possible' : 'no';
}

function spaced(content: string): string {
	return content.replaceAll(/[ \t]+/g, ' ');
}
