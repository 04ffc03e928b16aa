/** What the entries of a document are called. */
import type { EntryId, Json } from '../../../model/index.ts';

/** Called once per message in order, with its id and its place among the messages. */
export type EntryNames = (own: Json | undefined, index: number) => EntryId;

/** A message's own id; its place in the file where it has none, or one that another message has already. */
export function entryNames(): EntryNames {
	const seen = new Set<EntryId>();
	return (own, index) => {
		let id = typeof own === 'string' && own !== '' && !seen.has(own) ? own : `message:${index}`;
		while (seen.has(id)) id += "'";
		seen.add(id);
		return id;
	};
}
