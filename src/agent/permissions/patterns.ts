/** Which paths a file rule names: gitignore's patterns, with the client's four ways to say where they start. */
import type { Ignore } from 'ignore';
import type { FileView } from '../contracts.ts';
import { below, joined, normalise } from './path-names.ts';
import type { Rule, RuleKind } from './rule.ts';

export interface Places {
	readonly cwd: string;
	readonly home: string;
	readonly dirs: readonly string[];
	readonly files: Pick<FileView, 'real'>;
}

/** A name of our own that stands for "anything in this folder": a rule for all of a folder's content covers the folder. */
const anyChild = '\u0001any';

/** In the library's patterns `**` ends at a line break, and a pattern with one is two: a file name may hold them, and is no less denied. */
const inOneLine = (text: string): string => text.replaceAll(/[\n\r\u2028\u2029]/g, '\u0001');

export type PathMatcher = (path: string, folder: boolean) => boolean;

type MakeIgnore = () => Ignore;

let make: MakeIgnore | undefined;

/** Loads the library, which only sessions with file rules need. */
export async function loadPatterns(): Promise<void> {
	if (make) return;
	const { default: ignore } = await import('ignore');
	make = () => ignore();
}

export function pathMatcher(rule: Rule, kind: RuleKind, places: Places): PathMatcher {
	const create = make;
	if (!create) throw new Error('patterns are used before they are loaded');
	const matchers = everyPlace(placed(rule, kind, places), kind, places).map(({ roots, pattern }) => {
		const matcher = create().add(inOneLine(pattern.startsWith('#') ? `\\${pattern}` : pattern));
		return { roots, matcher };
	});
	return (path, folder) =>
		matchers.some(({ roots, matcher }) =>
			roots.some((root) => {
				const name = below(root, path);
				if (name === undefined) return false;
				const rest = inOneLine(name);
				if (rest !== '' && matcher.ignores(rest)) return true;
				return folder && matcher.ignores(rest === '' ? anyChild : `${rest}/${anyChild}`);
			}),
		);
}

/** Folders by their names and by where they lead. What a rule denies or asks about is also meant where the fixed beginning of its pattern leads. */
function everyPlace(
	{ roots, pattern, anchored = pattern }: Placed,
	kind: RuleKind,
	{ files }: Places,
): readonly Placed[] {
	const all = [...new Set(roots.flatMap((root) => [root, files.real(root) ?? root]))];
	const fixed = /^(?:\/[^*?[\]\\/]+)+(?=\/|$)/.exec(anchored)?.[0];
	if (kind === 'allow' || fixed === undefined) return [{ roots: all, pattern }];
	const led = all.flatMap((root): readonly Placed[] => {
		const name = normalise(`${root}${fixed}`);
		const real = files.real(name) ?? name;
		if (real === name) return [];
		return [{ roots: ['/'], pattern: real.replaceAll(/[\\*?[\]!# ]/g, '\\$&') + anchored.slice(fixed.length) }];
	});
	return [{ roots: all, pattern }, ...led];
}

interface Placed {
	readonly roots: readonly string[];
	readonly pattern: string;
	/** The pattern as it starts in the roots themselves, where it holds deeper as well. */
	readonly anchored?: string;
}

function placed({ content = '', anchor, from }: Rule, kind: RuleKind, { cwd: here, home, dirs }: Places): Placed {
	const cwd = from ?? here;
	if (content.startsWith('//')) return { roots: ['/'], pattern: content.slice(1) };
	if (content === '~' || content.startsWith('~/')) return { roots: [home], pattern: content.slice(1) || '/**' };
	if (content.startsWith('/')) return { roots: [anchor ?? cwd], pattern: content };
	const plain = content.replace(/^(\.\/+)+/, '');
	const deep = plain.replace(/\/+$/, '').includes('/');
	if (kind === 'allow') return { roots: [cwd], pattern: deep ? `/${plain}` : plain };
	if (/(^|\/)\.\.(\/|$)/.test(plain)) return { roots: ['/'], pattern: normalise(joined(cwd, plain)) };
	// What denies or asks holds at any depth, and in every folder that the session works in.
	return { roots: [cwd, ...dirs], pattern: deep ? `**/${plain}` : plain, anchored: `/${plain}` };
}
