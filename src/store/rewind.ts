/** Moving the conversation back to an entry, in the way the session's client understands. */
import { type Codec, decodeBytes, findTrail, type PointingEntry, type TrailRules } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { type Entry, type EntryId, isPrompt, type MessageEntry } from '../model/index.ts';
import { InputError } from './errors.ts';
import { scanIndex } from './scan-index.ts';

export interface Pointing {
	readonly entry: PointingEntry;
	/** The entry that the conversation shall go on from. */
	readonly target: Entry;
}

/** What has to be written so that the session at `path` goes on from the entry `to`. */
export function pointerTo(codec: Codec, rules: TrailRules, path: string, to: EntryId): Pointing {
	using source = openFile(path);
	const index = scanIndex(source, rules.envelope);
	const trail = findTrail(index, rules, to);
	const entryAt = (line: number): Entry | undefined => {
		const { at } = index.position(line);
		const end = line + 1 < index.length ? index.position(line + 1).at : source.size;
		return decodeBytes(codec, source.read(at, end - at)).entries.find((entry) => entry.id === rules.id(index, line));
	};
	const target = trail && entryAt(trail.lines.at(-1) ?? -1);
	if (!trail || !target) {
		throw new InputError('unknown-entry', `the entry ${to} is not in the conversation of ${path}`);
	}
	let prompt = '';
	for (const line of trail.lines.toReversed()) {
		const entry = entryAt(line);
		if (!entry || !isPrompt(entry)) continue;
		prompt = textOf(entry);
		break;
	}
	return { entry: rules.pointTo(to, prompt), target };
}

const longestPrompt = 200;

function textOf(entry: MessageEntry): string {
	const texts = entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
	return texts.join('\n').slice(0, longestPrompt);
}
