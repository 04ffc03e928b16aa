/** Which id the entry of a Cline message has: the message's own, or its place in the document where it has none or shares one. */
import type { EntryId, Json } from '../../../model/index.ts';

/** Called once per message in order, with the message's id and its index. */
export type EntryNames = (own: Json | undefined, index: number) => EntryId;

/** A message's own id, or its place in the file where it has none or shares one with an earlier message. */
export function entryNames(): EntryNames {
	const seen = new Set<EntryId>();
	return (own, index) => {
		let id = typeof own === 'string' && own !== '' && !seen.has(own) ? own : `message:${index}`;
		while (seen.has(id)) id += "'";
		seen.add(id);
		return id;
	};
}
