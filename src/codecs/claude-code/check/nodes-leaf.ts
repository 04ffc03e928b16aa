/** The leaf for validation: applies `context/leaf.ts` and `context/missing-parent.ts` to what a check remembers. */
import type { JsonObject } from '../../../model/index.ts';
import { valueIndex } from '../../shared/read/line-index.ts';
import { Lines } from '../context/lines.ts';
import { wayIn } from '../context/path-2-1-325.ts';
import type { Node, Pointer, Remembered } from './nodes.ts';

export interface NodeWay {
	readonly leaf: Node | undefined;
	/** The parent that the client uses for a line whose own is missing. */
	inPlaceOfParent(node: Node): Node | undefined;
}

export function wayOf(file: Remembered): NodeWay {
	const all = [...file.nodes.values(), ...file.pointers].sort((a, b) => a.at.index - b.at.index);
	const { leaf, links } = wayIn(new Lines(valueIndex(all.map((one) => ({ value: envelopeOf(one), at: one.at })))));
	const nodeAt = (line: number | undefined): Node | undefined => {
		const found = all[line ?? -1];
		return found && 'uuid' in found ? found : undefined;
	};
	let places: ReadonlyMap<Node | Pointer, number> | undefined;
	return {
		leaf: typeof leaf === 'object' ? nodeAt(leaf.line) : undefined,
		inPlaceOfParent(node) {
			places ??= new Map(all.map((one, line) => [one, line]));
			const line = places.get(node);
			return line === undefined ? undefined : nodeAt(links.inPlaceOfParent(line));
		},
	};
}

/** The fields that the client's rules read; of whole lines they only read what a boundary says. */
function envelopeOf(one: Node | Pointer): JsonObject {
	if (!('uuid' in one)) return { type: 'last-prompt', leafUuid: one.leaf, explicit: one.explicit };
	return {
		type: one.type,
		...(one.isBoundary ? { subtype: 'compact_boundary' } : {}),
		uuid: one.uuid,
		parentUuid: one.parent,
		isSidechain: one.agent !== undefined,
		...(Number.isNaN(one.time) ? {} : { timestamp: new Date(one.time).toISOString() }),
		...(one.metadata ? { compactMetadata: one.metadata } : {}),
	};
}
