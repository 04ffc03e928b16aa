/** Where the conversation goes on, for validation: what it remembers, as the rule of `leaf.ts` asks for it. */
import type { Json, JsonObject } from '../../model/index.ts';
import type { LineIndex } from '../line-index.ts';
import { Lines } from './context-lines.ts';
import { wayIn } from './context-path.ts';
import type { Node, Pointer, Remembered } from './nodes.ts';

export function leafIn(file: Remembered): Node | undefined {
	const all = [...file.nodes.values(), ...file.pointers].sort((a, b) => a.at.index - b.at.index);
	const { leaf } = wayIn(new Lines(indexOf(all)));
	const found = typeof leaf === 'object' ? all[leaf.line] : undefined;
	return found && 'uuid' in found ? found : undefined;
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
