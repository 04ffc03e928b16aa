/** What has to be held of an entry until it is written in another format. */
import type { Codec } from '../codecs/index.ts';
import type { Block, Entry, EntryId, JsonObject, MessageEntry, Response } from '../model/index.ts';
import type { Kept } from '../store/open-cut.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noRecords: readonly number[] = [];
const mostWords = 1 << 10;

/**
 * Keeps of each entry what a writer needs of it, and what many entries say once for all of them: a session of gigabytes has a
 * hundred thousand entries, and each repeats its model, its project and a dozen fields that only its own format knows.
 */
export function slimFor(target: Codec): (entry: Entry, of: Kept) => Entry {
	const names = new Map<string, JsonObject>();
	const words = new Map<string, string>();
	let last: EntryId = '';
	let lastResponse = '';

	/** Names are few; one string serves for all. */
	function shared(word: string): string {
		const known = words.get(word);
		if (known !== undefined) return known;
		if (words.size < mostWords) words.set(word, word);
		return word;
	}

	/** Fields of which only the names are asked for. */
	function nameOnly(extra: JsonObject): JsonObject {
		const keys = Object.keys(extra);
		const name = keys.join('\n');
		let known = names.get(name);
		if (!known) {
			known = Object.fromEntries(keys.map((key) => [key, true]));
			if (names.size < mostWords) names.set(name, known);
		}
		return known;
	}

	function share(made: Mutable<Response>): void {
		if (made.id !== undefined) {
			if (made.id === lastResponse) made.id = lastResponse;
			else lastResponse = made.id;
		}
		if (made.model !== undefined) made.model = shared(made.model);
		if (made.provider !== undefined) made.provider = shared(made.provider);
		if (made.api !== undefined) made.api = shared(made.api);
	}

	// What a decoder has just made is nobody else's: it is changed, not copied.
	return (entry, { format, alone }) => {
		const foreign = format !== target.id;
		const made: Mutable<Entry> = entry;
		made.records = noRecords;
		if (made.parent === last) made.parent = last;
		last = made.id;
		const { extra } = made;
		if (foreign && extra !== undefined && isCommon(made) && !target.takes.extra(extra)) made.extra = nameOnly(extra);
		if (made.kind === 'message') {
			const message: Mutable<MessageEntry> = made;
			// Which call started a sub-agent may be told by the details of its result alone.
			const blocks = foreign && alone && !target.takes.details ? withoutDetails(message.content) : message.content;
			message.content = blocks;
			if (message.response) share(message.response);
		}
		return made;
	};
}

/** Where a converted session came from may stand in lines of other kinds. */
function isCommon(entry: Entry): boolean {
	return entry.kind !== 'start' && entry.kind !== 'opaque';
}

function withoutDetails(blocks: readonly Block[]): readonly Block[] {
	if (!blocks.some((block) => block.type === 'tool_result' && block.details != null)) return blocks;
	return blocks.map((block) =>
		block.type === 'tool_result' && block.details != null ? { ...block, details: null } : block,
	);
}
