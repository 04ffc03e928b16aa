/** The entries of a session one after the other, without holding them. */
import { type Codec, readSession } from '../codecs/index.ts';
import { type Entry, type Header, reusedPieces } from '../model/index.ts';
import { InputError } from './errors.ts';
import { identify } from './identify.ts';
import { withSideHeaders } from './open.ts';

/** Visits every entry in file order, and returns what the file and those beside it say about the session as a whole. */
export function visitEntries(path: string, visit: (entry: Entry, codec: Codec) => void): Header {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	const reading = readSession(found.codec);
	let header: Header = {};
	const take = (chunk: { readonly entries: readonly Entry[]; readonly header: Header }): void => {
		for (const entry of chunk.entries) visit(entry, found.codec);
		header = { ...header, ...chunk.header };
	};
	for (const piece of reusedPieces(source)) take(reading.push(piece));
	take(reading.end());
	return withSideHeaders(found.codec, path, header);
}
