/** Where the conversation in a file of any size goes on, found without parsing its lines. */
import { type Codec, leafIn } from '../../codecs/index.ts';
import type { EntryId, Source } from '../../model/index.ts';
import { scanIndex } from './scan-index.ts';
import { lookBack, withoutBroken } from './tail.ts';

/** The entry that the conversation goes on from; `last`, its last entry, where nothing in the file says more. */
export function leafOf(codec: Codec, dialect: string, source: Source, last: EntryId | null): EntryId | null {
	const envelope = codec.context.resumePath?.envelope ?? [];
	const ask = (from: number): EntryId | null | 'more' =>
		withoutBroken((broken) => leafIn(codec, dialect, () => scanIndex(source, envelope, { from, broken }), last));
	// A format without links answers at once, with the last entry.
	const found = lookBack(source, (from) => {
		const leaf = ask(from);
		return leaf === 'more' ? undefined : { leaf };
	});
	if (found) return found.leaf;
	const leaf = ask(0);
	return leaf === 'more' ? last : leaf;
}
