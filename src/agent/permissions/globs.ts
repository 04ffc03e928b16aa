/** The names that the shell would put in place of a pattern: rules and folders decide about those, up to a number of names. */
import type { FileView } from '../contracts.ts';

/** A pattern that stands for more names than this is too much to look at. */
const most = 1000;

/** Absolute paths; undefined where there are too many to look at. Empty where nothing matches, and the pattern stays a text. */
export function expandGlob(pattern: string, folder: string, files: FileView): readonly string[] | undefined {
	let found = pattern.startsWith('/') ? [''] : [folder];
	for (const part of pattern.split('/').filter((one) => one !== '')) {
		const plain = part.replaceAll(/\\(.)/gs, '$1');
		const wild = /[*?[]/.test(part.replaceAll(/\\./gs, ''));
		const tokens = wild ? tokensOf(part) : undefined;
		found = found.flatMap((base) => {
			if (!tokens) return [`${base}/${plain}`];
			// Older shells put `.` and `..` in place of `.*` as well.
			return [...(part.startsWith('.') ? ['.', '..'] : []), ...files.list(base === '' ? '/' : base)]
				.filter((name) => matches(tokens, name) && (!name.startsWith('.') || part.startsWith('.')))
				.map((name) => `${base}/${name}`);
		});
		if (found.length > most) return undefined;
	}
	return found;
}

/** Whether a name is one of those that a pattern without slashes stands for; in case of doubt it is. */
export function fitsGlob(pattern: string): (name: string) => boolean {
	const tokens = tokensOf(pattern);
	return (name) => matches(tokens, name);
}

/** Any number of signs, any one sign, or one of these. */
type Token = '*' | '?' | readonly string[];

function tokensOf(part: string): readonly Token[] {
	return [...part.matchAll(/\\.|\[[!^]?\]?[^\]]*\]|./gs)].map(([sign]): Token => {
		if (sign === '*' || sign === '?') return sign;
		// Ranges, classes and what is negated depend on the shell's language.
		if (sign.length > 2) return /^\[[A-Za-z\d_.]+\]$/.test(sign) ? [...sign.slice(1, -1).toLowerCase()] : '?';
		return [sign.slice(-1).toLowerCase()];
	});
}

/**
 * What one sign is depends on the shell's language as well: half of one of ours, or two of them. More names are looked at, never fewer.
 * Every position that can be reached is kept, because a regular expression would try `*a*a*a*` for minutes.
 */
function matches(tokens: readonly Token[], given: string): boolean {
	const name = given.toLowerCase();
	let reached = new Set([0]);
	for (const token of tokens) {
		const next = new Set<number>();
		for (const at of reached) {
			if (token === '?') for (const step of [0, 1, 2]) next.add(Math.min(at + step, name.length));
			else if (token === '*') next.add(at);
			else if (token.includes(name.charAt(at)) && at < name.length) next.add(at + 1);
		}
		if (token === '*') for (let at = Math.min(...reached); at <= name.length; at++) next.add(at);
		reached = next;
		if (reached.size === 0) return false;
	}
	return reached.has(name.length);
}
