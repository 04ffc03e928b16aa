/** The names that the shell would put in place of a pattern: rules and folders decide about those. */
import type { FileView } from '../contracts.ts';

const most = 1000;

/** Absolute paths; undefined where there are too many to look at. Empty where nothing matches, and the pattern stays a text. */
export function expandGlob(pattern: string, folder: string, files: FileView): readonly string[] | undefined {
	let found = pattern.startsWith('/') ? ['/'] : [folder];
	for (const part of pattern.split('/').filter((one) => one !== '')) {
		const plain = part.replaceAll(/\\(.)/gs, '$1');
		const wild = /[*?[]/.test(part.replaceAll(/\\./gs, ''));
		const matcher = wild ? partMatcher(part) : undefined;
		found = found.flatMap((base) => {
			if (!matcher) return [`${base}/${plain}`];
			return files
				.list(base)
				.filter((name) => matcher.test(name) && (!name.startsWith('.') || part.startsWith('.')))
				.map((name) => `${base}/${name}`);
		});
		if (found.length > most) return undefined;
	}
	return found;
}

function partMatcher(part: string): RegExp {
	const source = part.replaceAll(/\\.|\[[!^]?\]?[^\]]*\]|\*|\?|./gs, (sign) => {
		if (sign === '*') return '.*';
		if (sign === '?') return '.';
		if (sign.startsWith('[') && sign.length > 2) return bracket(sign);
		return (sign.startsWith('\\') ? sign.slice(1) : sign).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	});
	return new RegExp(`^${source}$`, 'is');
}

/** Classes such as `[:alpha:]` are taken for any sign: more names are looked at, never fewer. */
function bracket(text: string): string {
	const inner = text.slice(1, -1);
	if (inner.includes('[:') || inner.includes('\\')) return '.';
	const negated = /^[!^]/.test(inner);
	return `[${negated ? '^' : ''}${(negated ? inner.slice(1) : inner).replaceAll(/[\]\\^[]/g, '\\$&')}]`;
}
