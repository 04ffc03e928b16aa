/** Where the conversation goes on and what replaces lost parents, for validation: the client's rules over what it remembers. */
import type { Json, JsonObject } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { Lines } from '../context/lines.ts';
import { wayIn } from '../context/path-2-1-325.ts';
import type { Node, Pointer, Remembered } from './nodes.ts';

export interface NodeWay {
	readonly leaf: Node | undefined;
	/** What the client takes for the parent of a line whose own is not there. */
	inPlaceOfParent(node: Node): Node | undefined;
}

export function wayOf(file: Remembered): NodeWay {
	const all = [...file.nodes.values(), ...file.pointers].sort((a, b) => a.at.index - b.at.index);
	const { leaf, links } = wayIn(new Lines(indexOf(all)));
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

function indexOf(all: readonly (Node | Pointer)[]): LineIndex {
	const at = (line: number): Node | Pointer => {
		const found = all[line];
		if (!found) throw new RangeError(`the index has ${all.length} lines, not ${line}`);
		return found;
	};
	return {
		length: all.length,
		partial: false,
		field(line, path) {
			const one = at(line);
			return 'uuid' in one ? nodeField(one, path) : pointerField(one, path);
		},
		value: (line) => metadataOf(at(line)),
		position: (line) => at(line).at,
	};
}

function nodeField(node: Node, path: string): Json | undefined {
	switch (path) {
		case 'type':
			return node.type;
		case 'subtype':
			return node.isBoundary ? 'compact_boundary' : undefined;
		case 'uuid':
			return node.uuid;
		case 'parentUuid':
			return node.parent;
		case 'isSidechain':
			return node.agent !== undefined;
		case 'timestamp':
			return Number.isNaN(node.time) ? undefined : new Date(node.time).toISOString();
	}
	return undefined;
}

function pointerField(pointer: Pointer, path: string): Json | undefined {
	switch (path) {
		case 'type':
			return 'last-prompt';
		case 'leafUuid':
			return pointer.leaf;
		case 'explicit':
			return pointer.explicit;
	}
	return undefined;
}

/** Of whole lines only what a boundary says is asked for. */
function metadataOf(one: Node | Pointer): JsonObject {
	return 'metadata' in one ? { compactMetadata: one.metadata } : {};
}
