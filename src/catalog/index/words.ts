/** What counts as a word of a search: scripts without spaces, accents, long base64 that is not indexed; and the syntax of a question (`"a phrase"`, `pre*`, `-word`). */

/**
 * Scripts that are written without spaces between words: Thai, Lao, Burmese, Khmer, kana and Chinese characters. Each of
 * their characters is a word of its own in the index, and a run of them in a question is a phrase: so any part of a text is
 * found. Ranges instead of the names of scripts, which are several times slower.
 */
const unspacedSigns =
	'\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f';
const unspaced = new RegExp(`[${unspacedSigns}\\u{20000}-\\u{3ffff}]`, 'gu');

/** A faster first test for `unspaced` that does not join surrogate pairs; some texts that pass have none. */
const perhapsUnspaced = new RegExp(`[${unspacedSigns}\\ud840-\\ud8bf]`);

/** A text in the form that is indexed: each character of an unspaced script becomes a word. */
export function indexable(text: string): string {
	return perhapsUnspaced.test(text) ? text.replace(unspaced, ' $& ') : text;
}

/** Longer runs without a space are encoded pictures and keys; no word of any language is that long. */
const longestRun = 160;
const encodedChars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=';
const isEncoded = new Uint8Array(128);
for (const char of encodedChars) isEncoded[char.charCodeAt(0)] = 1;

/** Shortest line of base64: programs break it at 64, 72 or 76 characters, and text that long has spaces. */
const shortestLine = 60;

/** A text without base64. A long run covers one of every so many positions, so only those are looked at. */
export function withoutEncoded(text: string): string {
	let kept = '';
	let from = 0;
	for (let at = longestRun - 1; at < text.length; at += longestRun) {
		const place = text.charCodeAt(at) === newline ? at - 1 : at;
		if (!encodedAt(text, place)) continue;
		const [start, end] = runAt(text, place, from);
		if (end - start >= longestRun) {
			kept += `${text.slice(from, start)} `;
			from = end;
		}
		at = Math.max(at, end - 1);
	}
	return from === 0 ? text : kept + text.slice(from);
}

/** Where the run of base64 around a position begins and ends: on its line, or on lines of one length. */
function runAt(text: string, place: number, from: number): readonly [start: number, end: number] {
	let start = place;
	while (start > from && encodedAt(text, start - 1)) start -= 1;
	let end = place + 1;
	while (encodedAt(text, end)) end += 1;
	const width = end - start;
	if (width >= longestRun || !isLine(text, start, width)) return [start, end];
	// The last line of a run is shorter than those before it.
	const before = width < shortestLine ? shortestLine : 0;
	if (before > 0 && start - before > from && isEncodedRun(text, start - 1 - before, before)) {
		return runAt(text, start - 2, from);
	}
	if (width < shortestLine) return [start, end];
	let first = start;
	let last = end;
	while (first - width > from && isLine(text, first - 1 - width, width)) first -= width + 1;
	while (isLine(text, last + 1, width)) last += width + 1;
	if (!isMixed(text.slice(first, last))) return [start, end];
	let tail = last + 1;
	while (encodedAt(text, tail)) tail += 1;
	const isTail = isLine(text, last + 1, tail - last - 1) && (tail - last - 1) % 4 === 0;
	return [first, isTail ? tail : last];
}

const newline = 0x0a;

function isEncodedRun(text: string, start: number, width: number): boolean {
	for (let at = start; at < start + width; at += 1) if (!encodedAt(text, at)) return false;
	return true;
}

/** True when exactly `width` characters of base64 are there between two line ends. */
function isLine(text: string, start: number, width: number): boolean {
	const isEnd = (at: number) => at < 0 || at >= text.length || text.charCodeAt(at) === newline;
	return isEnd(start - 1) && isEnd(start + width) && isEncodedRun(text, start, width);
}

/** True for letters of both cases. A list of checksums has lines of one length but of one case, and is indexed. */
function isMixed(text: string): boolean {
	return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

function encodedAt(text: string, at: number): boolean {
	return isEncoded[text.charCodeAt(at)] === 1;
}

/** A text without the accents on its Latin letters, as it is indexed; every letter keeps its position. */
export function withoutMarks(text: string): string {
	return text.replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0));
}

/** A question, taken apart. */
export interface Query {
	/** The question in the syntax of the index; empty when it has no word. */
	readonly match: string;
	/** What to look for in a text to show a match, in lower case. */
	readonly terms: readonly string[];
	/** Matches every place in a text `withoutMarks` that the index takes for one of the terms. */
	readonly places: RegExp;
}

const parts = /(-?)"([^"]*)"?|(\S+)/gu;
export const wordPart = /[\p{L}\p{N}\p{Co}]/u;

/**
 * Parses a question. All words are wanted, in any order; "words in quotes" in this order; `pre*` is the beginning of a
 * word; `-word` and `-"a phrase"` must not occur.
 */
export function parseQuery(text: string): Query {
	const wanted: string[] = [];
	const unwanted: string[] = [];
	const terms: string[] = [];
	const places: string[] = [];
	for (const [, minus, phrase, plain = ''] of text.matchAll(parts)) {
		const negative = minus === '-' || (phrase === undefined && plain.length > 1 && plain.startsWith('-'));
		const bare = phrase ?? (negative ? plain.slice(1) : plain);
		const prefix = phrase === undefined && bare.endsWith('*');
		const words = prefix ? bare.slice(0, -1) : bare;
		if (!wordPart.test(words)) continue;
		const quoted = `"${indexable(words).replaceAll('"', ' ').trim()}"${prefix ? '*' : ''}`;
		if (negative) unwanted.push(quoted);
		else {
			wanted.push(quoted);
			terms.push(words.toLowerCase());
			places.push(placeOf(words, prefix));
		}
	}
	const all = wanted.join(' AND ');
	return {
		match: wanted.length === 0 || unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.join(' OR ')})`,
		terms,
		places: new RegExp(places.join('|') || noPlace, 'giv'),
	};
}

const noPlace = '(?!)';
const sign = '[\\p{L}\\p{N}\\p{Co}]';
/** Characters that would make a longer word of the word beside them. */
const spaced = `[${sign}--[${unspacedSigns}\\u{20000}-\\u{3ffff}]]`;

/** A pattern for consecutive words, with any separators, that does not match inside longer words. */
function placeOf(text: string, prefix: boolean): string {
	const words = withoutMarks(text).match(new RegExp(`${sign}+`, 'gu')) ?? [];
	const first = words[0] ?? '';
	const last = words.at(-1) ?? '';
	const before = perhapsUnspaced.test(first[0] ?? '') ? '' : `(?<!${spaced})`;
	const behind = prefix || perhapsUnspaced.test(last.at(-1) ?? '') ? '' : `(?!${spaced})`;
	return `${before}${words.join(`[^${sign}]+`)}${behind}`;
}
