/** The wording for what a rewind of files could not bring back, and how much of it is named: said by whoever plans one, asks about it or has done it. */
import type { IgnoredFiles } from '../host/looks/ignored-files.ts';

export interface NotCovered {
	/** What the steps since then could not keep. */
	readonly missed: readonly string[];
	/** Shell commands since then whose changes nobody has kept. */
	readonly unknownCommands: readonly string[];
	/** Where commands were run since then in a project with git: what is not kept of it. */
	readonly ignored?: IgnoredFiles;
	/** Patterns of files that git ignores and that were kept all the same. */
	readonly keptIgnored?: readonly string[];
	/** Where commands were run since then in a folder of a larger repository: both of them. */
	readonly beyond?: { readonly folder: string; readonly repository: string };
}

const mostNamed = 20;

/** Lines; none where everything is covered. At most so many are named of each kind. */
export function notCoveredLines(
	{ missed, unknownCommands, ignored, keptIgnored = [], beyond }: NotCovered,
	most: number = mostNamed,
): readonly string[] {
	return [
		...list('what cannot be brought back:', missed, most),
		...list('commands since then whose changes nobody has kept:', unknownCommands, most),
		...(ignored ? ignoredLines(ignored, keptIgnored) : []),
		...(beyond
			? [`what commands changed in ${beyond.repository} outside ${beyond.folder} is not kept, and stays`]
			: []),
	];
}

function ignoredLines({ changed, more, unsure }: IgnoredFiles, kept: readonly string[]): readonly string[] {
	const but = kept.length === 0 ? '' : `, except those that keepIgnored names (${kept.join(', ')})`;
	const sentence = `files that git ignores are not kept${but}: what commands changed in them stays`;
	if (changed.length === 0) return [`${sentence}${unsure ? '; there are too many to look at' : ''}`];
	return list(`${sentence}. Since then these have changed:`, changed, changed.length, more);
}

/** Commands and names are foreign text: each is one line, whatever it holds. */
function list(title: string, all: readonly string[], most: number, unnamed = 0): readonly string[] {
	if (all.length === 0) return [];
	const more = Math.max(0, all.length - most) + unnamed;
	const named = all.slice(0, most).map((one) => `  ${one.replaceAll(/\s+/g, ' ')}`);
	return [title, ...named, ...(more > 0 ? [`  … and ${more} more`] : [])];
}
