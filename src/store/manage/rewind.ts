/** Moves the conversation back to an entry, in the way the session's client understands. */
import {
	type Codec,
	decodeBytes,
	findResumePath,
	type LineIndex,
	type PointingEntry,
	type ResumePathRules,
} from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { type Entry, type EntryId, isPrompt, type MessageEntry } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { scanIndex } from '../reader/scan-index.ts';
import { withoutBroken } from '../reader/tail.ts';

export interface Pointing {
	readonly entry: PointingEntry;
	/** The entry that the conversation will go on from. */
	readonly target: Entry;
}

/**
 * What has to be written so that the session at `path`, or the sub-agent whose own file it is, goes on from the entry
 * `to`; only that entry's id, where its client would not obey.
 */
export function pointerTo(
	codec: Codec,
	rules: ResumePathRules,
	path: string,
	to: EntryId,
	agent?: string,
): Pointing | EntryId {
	using source = openFile(path);
	const { index, trail, id } = withoutBroken((broken) => {
		const index = scanIndex(source, rules.envelope, { broken });
		const id = fullId(index, rules, to, path);
		return { index, id, trail: findResumePath(index, rules, id) };
	});
	if (trail?.unreachable) return id;
	const entryAt = (line: number): Entry | undefined => {
		const { at } = index.position(line);
		const end = line + 1 < index.length ? index.position(line + 1).at : source.size;
		return decodeBytes(codec, source.read(at, end - at)).entries.find((entry) => entry.id === rules.id(index, line));
	};
	const target = trail && entryAt(trail.lines.at(-1) ?? -1);
	if (!trail || !target) throw new InputError('unknown-entry', `the line of the entry ${to} in ${path} cannot be read`);
	if (target.agent !== agent) {
		throw new InputError(
			'unknown-entry',
			`the entry ${to} in ${path} is a sub-agent’s: the session cannot go on from it`,
		);
	}
	let prompt = '';
	for (const line of trail.lines.toReversed()) {
		const entry = entryAt(line);
		if (!entry || !isPrompt(entry)) continue;
		prompt = textOf(entry);
		break;
	}
	return { entry: rules.pointTo(target.id, prompt), target };
}

/** The full id for an id or the beginning of exactly one. */
function fullId(index: LineIndex, rules: ResumePathRules, wanted: string, path: string): EntryId {
	const found = new Set<EntryId>();
	for (let line = 0; line < index.length; line += 1) {
		const id = rules.id(index, line);
		if (id === wanted) return id;
		if (wanted !== '' && id?.startsWith(wanted)) found.add(id);
	}
	const [only] = found;
	if (only === undefined || found.size > 1) {
		const why = only === undefined ? 'is not in the conversation of' : `could be ${found.size} different ones in`;
		throw new InputError(
			'unknown-entry',
			`the entry ${wanted} ${why} ${path}; \`reprise show SESSION --ids\` lists entries`,
		);
	}
	return only;
}

const longestPrompt = 200;

function textOf(entry: MessageEntry): string {
	const texts = entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
	return texts.join('\n').slice(0, longestPrompt);
}
