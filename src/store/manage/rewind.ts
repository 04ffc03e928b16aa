/** Moves the conversation back to an entry, not the files: what has to be written for its client, when only a fork will do, and which prompts are taken back. */
import {
	type Codec,
	decodeBytes,
	findResumePath,
	type LineIndex,
	type PointingEntry,
	type ResumePathRules,
} from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { type Entry, type EntryId, history, isPrompt, type MessageEntry, type Session } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { scanIndex } from '../reader/scan-index.ts';
import { openSession } from '../reader/session-reader.ts';
import { withoutBroken } from '../reader/tail.ts';
import { entryAt } from './fork.ts';

export interface Pointing {
	readonly entry: PointingEntry;
	/** The entry that the conversation will go on from; absent where it begins anew. */
	readonly target?: Entry;
	/** The prompt that was taken back. */
	readonly prompt?: MessageEntry;
}

/** Where the conversation goes on if it goes back to an entry: `null` where nothing was said before. */
export interface BackTo {
	readonly at: EntryId | null;
	/** The prompt that was taken back. */
	readonly prompt?: MessageEntry;
}

/** A prompt is taken back, so that its user can say it anew; anything else stays. */
export function backTo(session: Session, to: EntryId): BackTo {
	const way = history(session, to);
	const last = way.at(-1);
	if (!last || !canBeTakenBack(last)) return { at: to };
	return { at: way.at(-2)?.id ?? null, prompt: last };
}

/** The same for the session at `path`; `to` may be the beginning of an id. */
export async function backIn(path: string, to: EntryId): Promise<BackTo> {
	const session = await openSession(path, { subagents: false });
	return backTo(session, entryAt(session, to, path));
}

/** False for a prompt with results in it: without them the calls before it would have no answer. */
function canBeTakenBack(entry: Entry): entry is MessageEntry {
	return isPrompt(entry) && entry.content.every(({ type }) => type !== 'tool_result');
}

export interface PointingOptions {
	/** The sub-agent whose own file it is. */
	readonly agent?: string | undefined;
	/** As in `backTo`. */
	readonly takesBack?: boolean | undefined;
}

/** What has to be written so that the session at `path` goes on from the entry `to`; only that entry's id, where its client would not go on from there. */
export function pointerTo(
	codec: Codec,
	rules: ResumePathRules,
	path: string,
	to: EntryId | null,
	{ agent, takesBack }: PointingOptions = {},
): Pointing | EntryId {
	if (to === null) return { entry: rules.pointTo(null, undefined) };
	using source = openFile(path);
	const { index, trail, id } = withoutBroken((broken) => {
		const index = scanIndex(source, rules.envelope, { broken });
		const id = fullId(index, rules, to, path);
		return { index, id, trail: findResumePath(index, rules, id) };
	});
	const entryAt = (line: number): Entry | undefined => {
		const { at } = index.position(line);
		const end = line + 1 < index.length ? index.position(line + 1).at : source.size;
		return decodeBytes(codec, source.read(at, end - at)).entries.find((entry) => entry.id === rules.id(index, line));
	};
	const target = trail && entryAt(trail.lines.at(-1) ?? -1);
	if (trail?.unreachable) {
		// All can be taken back, wherever it is.
		const isFirst = trail.lines.length === 1 && trail.lines[0] === firstNamed(index, rules);
		const goes = takesBack && isFirst && target && canBeTakenBack(target);
		return goes ? { entry: rules.pointTo(null, undefined), prompt: target } : id;
	}
	if (!trail || !target) throw new InputError('unknown-entry', `the line of the entry ${to} in ${path} cannot be read`);
	if (target.agent !== agent) {
		throw new InputError(
			'unknown-entry',
			`the entry ${to} in ${path} is a sub-agent’s: the session cannot go on from it`,
		);
	}
	if (!takesBack || !canBeTakenBack(target))
		return { entry: rules.pointTo(target.id, lastPrompt(trail.lines, entryAt)), target };
	// Behind a compaction that kept messages a prompt follows the summary, though they are sent in between.
	const above = target.parent == null ? undefined : findResumePath(index, rules, target.parent);
	if (above?.unreachable) return id;
	const before = above?.lines ?? trail.lines.slice(0, -1);
	const last = before.length === 0 ? undefined : entryAt(before.at(-1) ?? -1);
	const entry = rules.pointTo(last?.id ?? null, lastPrompt(before, entryAt));
	return { entry, prompt: target, ...(last ? { target: last } : {}) };
}

function firstNamed(index: LineIndex, rules: ResumePathRules): number {
	let line = 0;
	while (line < index.length && rules.id(index, line) === undefined) line += 1;
	return line;
}

/** The text of the last prompt among the lines; undefined where nothing is said in them. */
function lastPrompt(lines: readonly number[], entryAt: (line: number) => Entry | undefined): string | undefined {
	let said: '' | undefined;
	for (const line of lines.toReversed()) {
		const entry = entryAt(line);
		if (entry?.kind !== 'message') continue;
		if (isPrompt(entry)) return textOf(entry);
		said = '';
	}
	return said;
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
