/** The scanner in WebAssembly: its memory holds the plan, the columns and the window. */
import { batchLines, type Columns, deepest, type Engine, type Packed, slack } from './engine.ts';
import { doubtFlags } from './flags.ts';
import { scanModule } from './module.ts';
import type { ScanPlan } from './plan.ts';
import { instantiate, type Memory, makeRoom } from './wasm.ts';

interface ScanExports extends Memory {
	setup(nodes: number, stack: number, stackSize: number, columns: number, fields: number, rows: number): void;
	gate(node: number, values: number, end: number, unlessEnd: number): void;
	document(key: number, end: number, window: number): void;
	split(from: number, to: number): void;
	scan(from: number, to: number, base: number): number;
	next(): number;
	setNames(at: number): void;
	pack(
		row: number,
		end: number,
		base: number,
		doubt: number,
		spans: number,
		out: number,
		limit: number,
		used: number,
	): number;
	packedTo(): number;
}

/** Below this lies what the compiler puts there. */
const firstAddress = 1 << 10;
const nodeSize = 32;
/** Of the key that a document's elements stand under, its quotes included. */
const longestKey = 64;
/** What `pack` copies at a time. */
const packSize = 1 << 17;
const namesPerField = 512;

/** Undefined where WebAssembly or its SIMD instructions are missing, or no memory is left for it. */
export function makeWasmEngine(plan: ScanPlan, size: number): Engine | undefined {
	const layout = layOut(plan);
	const exports = instantiate<ScanExports>(scanModule, layout.window + size + slack);
	if (exports === undefined) return undefined;
	writePlan(exports.memory.buffer, plan, layout);
	exports.setup(layout.nodes, layout.stack, deepest, layout.columns, plan.paths.length, batchLines);
	exports.setNames(layout.names);
	if (plan.gate) {
		const end = writeGate(exports.memory.buffer, plan.gate.values, layout.gate);
		Buffer.from(exports.memory.buffer).write(plan.gate.unless, end, 'latin1');
		exports.gate(layout.nodes + plan.gate.node * nodeSize, layout.gate, end, end + plan.gate.unless.length);
	}
	return new WasmEngine(exports, layout, plan.paths.length);
}

interface Layout {
	readonly nodes: number;
	readonly keys: number;
	readonly gate: number;
	readonly key: number;
	readonly stack: number;
	readonly columns: number;
	readonly names: number;
	readonly spans: number;
	readonly packed: number;
	readonly window: number;
}

function layOut(plan: ScanPlan): Layout {
	const nodes = firstAddress;
	const keys = nodes + plan.nodes.length * nodeSize;
	const gate = keys + plan.nodes.reduce((size, node) => size + node.key.length, 0);
	const key =
		gate +
		(plan.gate?.values.reduce((size, value) => size + 4 + value.length, 0) ?? 0) +
		(plan.gate?.unless.length ?? 0);
	const stack = key + longestKey;
	const columns = aligned(stack + deepest + 1);
	const fields = plan.paths.length;
	const names = aligned(columns + batchLines * (8 + 8 + 2 + fields * 8));
	const spans = names + fields * namesPerField;
	const packed = aligned(spans + batchLines * fields * 8);
	const window = packed + packSize;
	return { nodes, keys, gate, key, stack, columns, names, spans, packed, window };
}

const aligned = (address: number): number => Math.ceil(address / 64) * 64;

/** Writes the nodes as assembly/scan.ts reads them. */
function writePlan(memory: ArrayBuffer, plan: ScanPlan, layout: Layout): void {
	const view = new DataView(memory);
	const bytes = new Uint8Array(memory);
	let keyAt = layout.keys;
	for (const [index, node] of plan.nodes.entries()) {
		const at = layout.nodes + index * nodeSize;
		const key = Buffer.from(node.key, 'latin1');
		view.setInt32(at, node.field, true);
		view.setUint32(at + 4, layout.nodes + node.last * nodeSize, true);
		view.setInt32(at + 8, node.lengths, true);
		view.setUint32(at + 12, key.length, true);
		view.setUint32(at + 16, keyAt, true);
		bytes.set(key.subarray(0, 8), at + 24);
		bytes.set(key, keyAt);
		keyAt += key.length;
	}
}

/** Returns the address behind the values. */
function writeGate(memory: ArrayBuffer, values: readonly string[], from: number): number {
	const view = new DataView(memory);
	const bytes = new Uint8Array(memory);
	let at = from;
	for (const value of values) {
		view.setUint32(at, value.length, true);
		bytes.set(Buffer.from(value, 'latin1'), at + 4);
		at += 4 + value.length;
	}
	return at;
}

class WasmEngine implements Engine {
	readonly name = 'wasm';
	readonly #exports: ScanExports;
	readonly #layout: Layout;
	readonly #windowAt: number;
	readonly #fields: number;
	#window: Buffer;
	#columns: Columns;

	constructor(exports: ScanExports, layout: Layout, fields: number) {
		this.#exports = exports;
		this.#layout = layout;
		this.#windowAt = layout.window;
		this.#fields = fields;
		this.#window = this.#viewWindow();
		this.#columns = this.#viewColumns();
	}

	window(): Buffer {
		return this.#window;
	}

	columns(): Columns {
		return this.#columns;
	}

	/** Growing keeps what is there, and makes all views anew: the old ones are detached. */
	reserve(size: number): void {
		makeRoom(this.#exports, this.#windowAt + size + slack);
		this.#window = this.#viewWindow();
		this.#columns = this.#viewColumns();
	}

	beginDocument(key: string): void {
		const json = key === '' ? '' : JSON.stringify(key);
		if (Buffer.byteLength(json) > longestKey) throw new RangeError(`the key "${key}" is too long to be looked for`);
		const at = this.#layout.key;
		const length = Buffer.from(this.#exports.memory.buffer, at, longestKey).write(json);
		this.#exports.document(at, at + length, this.#windowAt);
	}

	split(from: number, to: number): void {
		this.#exports.split(this.#windowAt + from, this.#windowAt + to);
	}

	scan(from: number, to: number, base: number): { readonly lines: number; readonly next: number } {
		const lines = this.#exports.scan(this.#windowAt + from, this.#windowAt + to, base - this.#windowAt);
		return { lines, next: this.#exports.next() - this.#windowAt };
	}

	pack(row: number, end: number, base: number, used: number): Packed {
		const { spans, packed } = this.#layout;
		const address = base - this.#windowAt;
		const lines = this.#exports.pack(row, end, address, doubtFlags, spans, packed, packed + packSize, used);
		const { buffer } = this.#exports.memory;
		return {
			lines,
			bytes: new Uint8Array(buffer, packed, this.#exports.packedTo() - packed),
			spans: new Uint32Array(buffer, spans, 2 * this.#fields * lines),
		};
	}

	#viewWindow(): Buffer {
		return Buffer.from(this.#exports.memory.buffer, this.#windowAt);
	}

	#viewColumns(): Columns {
		const { buffer } = this.#exports.memory;
		const rows = batchLines;
		const at = this.#layout.columns;
		const from = at + rows * 16;
		const to = from + rows * this.#fields * 4;
		const column = (start: number) =>
			Array.from({ length: this.#fields }, (_, field) => new Uint32Array(buffer, start + field * rows * 4, rows));
		return {
			at: new Float64Array(buffer, at, rows),
			end: new Float64Array(buffer, at + rows * 8, rows),
			from: column(from),
			to: column(to),
			flags: new Uint16Array(buffer, to + rows * this.#fields * 4, rows),
		};
	}
}
