/** What has to be held of an entry until it is written in another format. */
import type { Codec } from '../codecs/index.ts';
import type { Block, Entry, EntryId, JsonObject, MessageEntry, Response } from '../model/index.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noRecords: readonly number[] = [];

/**
 * Keeps of each entry what a writer needs of it, and what many entries say once for all of them: a session of gigabytes has a
 * hundred thousand entries, and each repeats its model, its project and a dozen fields that only its own format knows.
 */
export function slimFor(target: Codec, same: boolean): (entry: Entry, alone: boolean) => Entry {
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

	/** Fields that only their names are asked of. */
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

	function response(from: Response): Response {
		const made: Mutable<Response> = { ...from };
		if (made.id !== undefined) {
			if (made.id === lastResponse) made.id = lastResponse;
			else lastResponse = made.id;
		}
		if (made.model !== undefined) made.model = shared(made.model);
		if (made.provider !== undefined) made.provider = shared(made.provider);
		if (made.api !== undefined) made.api = shared(made.api);
		return made;
	}

	/** Which call started a sub-agent may be told by the details of its result alone. */
	function content(blocks: readonly Block[], alone: boolean): readonly Block[] {
		if (same || target.takes.details || !alone) return blocks;
		if (!blocks.some((block) => block.type === 'tool_result' && block.details != null)) return blocks;
		return blocks.map((block) =>
			block.type === 'tool_result' && block.details != null ? { ...block, details: null } : block,
		);
	}

	return (entry, alone) => {
		const made: Mutable<Entry> = { ...entry, records: noRecords };
		if (made.parent === last) made.parent = last;
		last = made.id;
		const { extra } = made;
		if (!same && extra !== undefined && made.kind !== 'start' && made.kind !== 'opaque' && !target.takes.extra(extra)) {
			made.extra = nameOnly(extra);
		}
		if (made.kind === 'message') {
			const message: Mutable<MessageEntry> = made;
			message.content = content(message.content, alone);
			if (message.response) message.response = response(message.response);
		}
		return made;
	};
}

const mostWords = 1 << 10;
