/** Chunks of bytes in, batches of scanned lines out. */
import { type Engine, slack } from './engine.ts';
import { scanFlag } from './flags.ts';
import { makeJsEngine } from './js-engine.ts';
import type { ScannedLines } from './lines.ts';
import type { ScanPlan } from './plan.ts';
import { makeWasmEngine } from './wasm-engine.ts';

export interface ScanOptions {
	/** `auto` (default): WebAssembly where it runs with SIMD, else JavaScript. `wasm` throws where it does not run. */
	readonly engine?: 'auto' | 'wasm' | 'js';
	/** Bytes to read at a time. Default 256 KB: what is read stays in the processor's cache until it is scanned. */
	readonly window?: number;
	/** Longer lines are told as `tooLong` without being held. Default 512 MB, which no string of V8 can hold either. */
	readonly maxLine?: number;
	/** Offset of the first byte that will come, at a line's start. */
	readonly from?: number;
	/** The input is one document: lines are the elements of the array under this key, or of the array that it is itself. */
	readonly elements?: string;
}

export type VisitLines = (lines: ScannedLines) => void;

export interface Scanner {
	readonly engine: Engine['name'];
	/** Memory to read into: write any number of bytes to its beginning, then call `filled`. Valid until then. */
	room(): Uint8Array;
	/** The first `length` bytes of `room()` are the next bytes of the input. Visits the lines that end in them. */
	filled(length: number, visit: VisitLines): void;
	/** The same for bytes that are somewhere else. */
	push(chunk: Uint8Array, visit: VisitLines): void;
	/** No more bytes will come: what is left is a line too. */
	end(visit: VisitLines): void;
	/** Offset behind the last line that ended with a newline: where to go on when more has been appended. */
	position(): number;
	/** Begins anew, for another input or place. */
	reset(from: number): void;
}

const defaultWindow = 1 << 18;
const defaultMaxLine = 1 << 29;
const newline = 0x0a;

export function createScanner(plan: ScanPlan, options: ScanOptions = {}): Scanner {
	const size = Math.max(1, options.window ?? defaultWindow);
	return new WindowScanner(chooseEngine(plan, size, options.engine ?? 'auto'), size, options);
}

function chooseEngine(plan: ScanPlan, size: number, wanted: 'auto' | 'wasm' | 'js'): Engine {
	if (wanted === 'js') return makeJsEngine(plan, size);
	const engine = makeWasmEngine(plan, size);
	if (engine === undefined && wanted === 'wasm') throw new Error('this Node cannot run WebAssembly with SIMD');
	return engine ?? makeJsEngine(plan, size);
}

/**
 * The window holds [base, base + held) of the input, always from a line's start on. Only bytes up to the last newline
 * are scanned, so an engine never sees half a line; the half stays for the next bytes, and the window grows when it
 * takes up more than half of it.
 */
class WindowScanner implements Scanner {
	readonly engine: Engine['name'];
	readonly #engine: Engine;
	readonly #size: number;
	readonly #maxLine: number;
	readonly #elements: string | undefined;
	readonly #pack: ScannedLines['pack'];
	#base: number;
	#held = 0;
	/** Where the line began whose bytes are being thrown away. */
	#tooLongAt: number | undefined;

	constructor(engine: Engine, size: number, options: ScanOptions) {
		this.engine = engine.name;
		this.#engine = engine;
		this.#size = size;
		this.#maxLine = Math.max(1, options.maxLine ?? defaultMaxLine);
		this.#elements = options.elements;
		this.#base = options.from ?? 0;
		const pack = engine.pack?.bind(engine);
		this.#pack = pack && ((row, end, used) => pack(row, end, this.#base, used));
		this.reset(this.#base);
	}

	reset(from: number): void {
		this.#base = from;
		this.#held = 0;
		this.#tooLongAt = undefined;
		if (this.#elements !== undefined) this.#engine.beginDocument(this.#elements);
	}

	position(): number {
		return this.#tooLongAt ?? this.#base;
	}

	room(): Uint8Array {
		const capacity = this.#engine.window().length - slack;
		if (this.#held > capacity / 2) this.#engine.reserve(capacity * 2, this.#held);
		const window = this.#engine.window();
		return window.subarray(this.#held, Math.min(window.length - slack, this.#held + this.#size));
	}

	filled(length: number, visit: VisitLines): void {
		const fresh = this.#held;
		this.#held += length;
		if (this.#elements !== undefined) this.#engine.split(fresh, this.#held);
		const window = this.#engine.window();
		let start = 0;
		if (this.#tooLongAt !== undefined) {
			start = window.subarray(0, this.#held).indexOf(newline) + 1;
			if (start === 0) {
				this.#drop(this.#held);
				return;
			}
			this.#visitTooLong(this.#tooLongAt, this.#base + start, 0, visit);
			this.#tooLongAt = undefined;
		}
		const searched = Math.max(fresh, start);
		const last = window.subarray(searched, this.#held).lastIndexOf(newline);
		if (last !== -1) {
			const whole = searched + last + 1;
			this.#scan(start, whole, visit);
			start = whole;
		}
		this.#drop(start);
		if (this.#held > this.#maxLine) {
			this.#tooLongAt = this.#base;
			this.#drop(this.#held);
		}
	}

	push(chunk: Uint8Array, visit: VisitLines): void {
		for (let at = 0; at < chunk.length; ) {
			const room = this.room();
			const piece = chunk.subarray(at, at + room.length);
			room.set(piece);
			this.filled(piece.length, visit);
			at += piece.length;
		}
	}

	end(visit: VisitLines): void {
		if (this.#tooLongAt !== undefined) {
			this.#visitTooLong(this.#tooLongAt, this.#base, scanFlag.unended, visit);
		} else if (this.#held > 0) {
			// The engine needs a newline to stop at; the line is then given its true end.
			this.#engine.window()[this.#held] = newline;
			this.#engine.scan(0, this.#held + 1, this.#base);
			const columns = this.#engine.columns();
			columns.end[0] = this.#base + this.#held;
			columns.flags[0] = (columns.flags[0] as number) | scanFlag.unended;
			visit(this.#batch(1));
		}
		this.reset(this.position());
	}

	/** Visits the lines of window[from, to). */
	#scan(from: number, to: number, visit: VisitLines): void {
		for (let at = from; at < to; ) {
			const scanned = this.#engine.scan(at, to, this.#base);
			if (to - at > this.#maxLine) this.#forgetTooLong(scanned.lines);
			visit(this.#batch(scanned.lines));
			at = scanned.next;
		}
	}

	#batch(count: number): ScannedLines {
		const { at, end, flags, from, to } = this.#engine.columns();
		const lines = { count, at, end, flags, from, to, window: this.#engine.window(), base: this.#base };
		return this.#pack ? { ...lines, pack: this.#pack } : lines;
	}

	/** A line that happens to fit is still too long: what a line is must not depend on how its bytes came. */
	#forgetTooLong(count: number): void {
		const { at, end, flags, to } = this.#engine.columns();
		for (let row = 0; row < count; row += 1) {
			if ((end[row] as number) - (at[row] as number) <= this.#maxLine) continue;
			flags[row] = scanFlag.tooLong;
			for (const column of to) column[row] = 0;
		}
	}

	#visitTooLong(at: number, end: number, flags: number, visit: VisitLines): void {
		const columns = this.#engine.columns();
		columns.at[0] = at;
		columns.end[0] = end;
		columns.flags[0] = scanFlag.tooLong | flags;
		for (const column of columns.to) column[0] = 0;
		visit(this.#batch(1));
	}

	/** Forgets the first bytes of the window. */
	#drop(length: number): void {
		if (length > 0 && length < this.#held) this.#engine.window().copyWithin(0, length, this.#held);
		this.#base += length;
		this.#held -= length;
	}
}
