/** Finds the title of a session of lines from those lines alone that may give one: the last one counts. It is looked for only when somebody asks. */
import { type Codec, type DecodeSink, headSize, type Line, readSession } from '../../codecs/index.ts';
import type { Header, Source } from '../../model/index.ts';
import type { HandleState } from '../handle/handle-state.ts';
import { scanIndex } from './scan-index.ts';

/** A header whose title is looked for only when somebody reads it: in a large session that takes time. */
export function withTitle(held: HandleState, header: Header): Header {
	if (!held.title) return header;
	const get = () => held.title?.() ?? header.title;
	return Object.defineProperty({ ...header }, 'title', { get, enumerable: true });
}

/** The title; undefined where the session has none, or where its format does not link lines. */
export function findTitle(codec: Codec, source: Source): string | undefined {
	const types = new Set<unknown>(codec.context.resumePath?.titles);
	const index = scanIndex(source, ['type']);
	const decoder = codec.read.decoder(headState(codec, source));
	let title: string | undefined;
	const sink: DecodeSink = {
		entry: () => undefined,
		issue: () => undefined,
		header(patch) {
			title = patch.title ?? title;
		},
	};
	const reader = codec.read.reader();
	const visit = (line: Line): void => void decoder.visit(line, sink);
	for (let line = 0; line < index.length; line += 1) {
		if (!types.has(index.field(line, 'type'))) continue;
		const { at } = index.position(line);
		const end = line + 1 < index.length ? index.position(line + 1).at : source.size;
		reader.push(source.read(at, end - at), visit);
	}
	reader.end(visit);
	return title || undefined;
}

/** What the decoder learned from the first line, which is the header of some formats. */
function headState(codec: Codec, source: Source) {
	const reading = readSession(codec);
	reading.push(source.read(0, Math.min(headSize, source.size)));
	return reading.state().decoder;
}
