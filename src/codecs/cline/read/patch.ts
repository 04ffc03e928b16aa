/** Patches as Cline's `apply_patch` takes them: what each part adds, removes or changes. */

/** One file of a patch. */
export type PatchPart =
	| { readonly does: 'add'; readonly path: string; readonly content: string }
	| { readonly does: 'delete'; readonly path: string }
	| { readonly does: 'update'; readonly path: string; readonly hunks: readonly Hunk[] };

/** Whole lines of the file, and what stands in their place. */
export interface Hunk {
	readonly old: string;
	readonly now: string;
}

const begin = '*** Begin Patch';
const end = '*** End Patch';
const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** The patch in patches of one file each; undefined where it is none. */
export function splitPatch(text: string): readonly string[] | undefined {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	const from = lines.findIndex((line) => line.startsWith(begin));
	const to = lines.findLastIndex((line) => line.startsWith(end));
	if (from === -1 || to < from) return undefined;
	const parts: string[][] = [];
	for (const line of lines.slice(from + 1, to)) {
		if (heading.test(line)) parts.push([line]);
		else if (parts.length > 0) parts.at(-1)?.push(line);
		else return undefined;
	}
	return parts.length > 0 ? parts.map((part) => [begin, ...part, end].join('\n')) : undefined;
}

/** What a patch of one file does; undefined where it is anything else. A file that is moved is not among it. */
export function readPart(patch: string): PatchPart | undefined {
	const [, first = '', ...lines] = patch.split('\n').slice(0, -1);
	const [, what, name = ''] = heading.exec(first) ?? [];
	const path = name.trim();
	if (path === '') return undefined;
	if (what === 'Delete') return lines.every((line) => line.trim() === '') ? { does: 'delete', path } : undefined;
	if (what === 'Update') {
		const hunks = hunksOf(lines);
		return hunks && { does: 'update', path, hunks };
	}
	if (what !== 'Add' || !lines.every((line) => line.startsWith('+'))) return undefined;
	return { does: 'add', path, content: lines.map((line) => line.slice(1)).join('\n') };
}

function hunksOf(lines: readonly string[]): readonly Hunk[] | undefined {
	const hunks: { anchor: string; old: string[]; now: string[] }[] = [];
	for (const line of lines) {
		if (line === '*** End of File') continue;
		if (line.startsWith('***')) return undefined;
		if (/^@@( |$)/.test(line)) hunks.push({ anchor: line.slice(3), old: [], now: [] });
		else {
			if (hunks.length === 0) hunks.push({ anchor: '', old: [], now: [] });
			const [sign, text] = /^[ +-]/.test(line) ? [line[0], line.slice(1)] : [' ', line];
			if (sign !== '+') hunks.at(-1)?.old.push(text);
			if (sign !== '-') hunks.at(-1)?.now.push(text);
		}
	}
	// A line that says where to look changes nothing by itself; where nothing else does, what is added follows it.
	const found = hunks.filter(({ old, now }) => old.length + now.length > 0);
	const whole = found.map(({ anchor, old, now }) => {
		const before = old.length === 0 && anchor.trim() !== '' ? [anchor] : [];
		const text = (side: readonly string[]): string => [...before, ...side].map((line) => `${line}\n`).join('');
		return { old: text(old), now: text(now) };
	});
	return whole.length > 0 && whole.every(({ old }) => old !== '') ? whole : undefined;
}
