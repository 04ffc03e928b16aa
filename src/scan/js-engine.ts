/** The scanner in JavaScript: what the WebAssembly one does, byte by byte. */
import { batchLines, type Columns, deepest, type Engine, type Scanned, slack } from './engine.ts';
import { scanFlag } from './flags.ts';
import type { ScanPlan } from './plan.ts';

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Bytes that end a run inside a string: quote, backslash, control characters. */
const stopsString = classOf('"\\');
/** Bytes that matter between brackets and outside strings. */
const stopsContainer = classOf('"\\{}[]');
/** Bytes of numbers and words. */
const scalarByte = scalarBytes();

function classOf(stops: string): Uint8Array {
	const table = new Uint8Array(256).fill(1, 0, space);
	for (const stop of stops) table[stop.charCodeAt(0)] = 1;
	return table;
}

function scalarBytes(): Uint8Array {
	const table = new Uint8Array(256);
	for (let byte = 0; byte < 128; byte += 1) if (/[-+.0-9A-Za-z]/.test(String.fromCharCode(byte))) table[byte] = 1;
	return table;
}

export function makeJsEngine(plan: ScanPlan, size: number): Engine {
	let window = new Uint8Array(size + slack);
	const columns = makeColumns(plan.paths.length);
	const scanLines = lineScanner(plan, columns);
	return {
		name: 'js',
		window: () => window,
		reserve(wanted, kept) {
			if (wanted + slack <= window.length) return;
			const larger = new Uint8Array(wanted + slack);
			larger.set(window.subarray(0, kept));
			window = larger;
		},
		columns: () => columns,
		scan: (from, to, base) => scanLines(window, from, to, base),
	};
}

function makeColumns(fields: number): Columns {
	const column = () => new Uint32Array(batchLines);
	return {
		at: new Float64Array(batchLines),
		end: new Float64Array(batchLines),
		flags: new Uint16Array(batchLines),
		from: Array.from({ length: fields }, column),
		to: Array.from({ length: fields }, column),
	};
}

type ScanLines = (bytes: Uint8Array, from: number, to: number, base: number) => Scanned;

/**
 * The functions inside return the position behind what they read, or -1 after they have set a flag. No index runs past
 * the window: each loop stops at control characters, and the window ends with a newline.
 */
function lineScanner(plan: ScanPlan, columns: Columns): ScanLines {
	const keys = plan.nodes.map((node) => Buffer.from(node.key, 'latin1'));
	const last = Int32Array.from(plan.nodes, (node) => node.last);
	const lengths = Int32Array.from(plan.nodes, (node) => node.lengths);
	const fields = Int32Array.from(plan.nodes, (node) => node.field);
	/** The number of the line in which a node's key was last met. */
	const seen = new Float64Array(plan.nodes.length);
	const stack = new Uint8Array(deepest + 1);

	let bytes: Uint8Array = new Uint8Array();
	let lineStart = 0;
	let row = 0;
	let serial = 0;
	let flags = 0;
	/** Set by `string`: there was a backslash in it. */
	let escaped = false;

	function fail(flag: number): -1 {
		flags |= flag;
		return -1;
	}

	/** For a byte that may not stand where it does. */
	function unexpected(byte: number): -1 {
		if (byte === newline) return fail(scanFlag.torn);
		return fail(byte < space ? scanFlag.control : scanFlag.syntax);
	}

	function spaces(at: number): number {
		let p = at;
		for (let byte = bytes[p]; byte === space || byte === tab || byte === carriageReturn; byte = bytes[p]) p += 1;
		return p;
	}

	/** `at` is behind the opening quote. */
	function string(at: number): number {
		let p = at;
		escaped = false;
		for (;;) {
			while (stopsString[bytes[p] as number] === 0) p += 1;
			const byte = bytes[p] as number;
			if (byte === quote) return p + 1;
			if (byte !== backslash) return fail(byte === newline ? scanFlag.torn : scanFlag.control);
			escaped = true;
			// A control character behind a backslash is as forbidden as anywhere in a string, and may be the line's end.
			p += (bytes[p + 1] as number) < space ? 1 : 2;
		}
	}

	/** Skips an array or object; `at` is at its bracket. Only strings, brackets and control characters are looked at. */
	function container(at: number): number {
		let depth = 0;
		let p = at;
		for (;;) {
			while (stopsContainer[bytes[p] as number] === 0) p += 1;
			const byte = bytes[p] as number;
			if (byte === quote) {
				p = string(p + 1);
				if (p < 0) return p;
				continue;
			}
			if (byte === openBrace || byte === openBracket) {
				if (depth === deepest) return fail(scanFlag.deep);
				depth += 1;
				stack[depth] = byte + 2; // the closing bracket of either kind
			} else if (byte > backslash) {
				if (stack[depth] !== byte) return fail(scanFlag.unbalanced);
				depth -= 1;
				if (depth === 0) return p + 1;
			} else if (byte !== tab && byte !== carriageReturn) {
				return unexpected(byte);
			}
			p += 1;
		}
	}

	/** A number or word. One that runs into the line's end may have been longer. */
	function scalar(at: number): number {
		let p = at;
		while (scalarByte[bytes[p] as number] === 1) p += 1;
		return p > at && bytes[p] !== newline ? p : unexpected(bytes[p] as number);
	}

	/** The child of `node` whose key is bytes[from, to), or 0. */
	function childOf(node: number, from: number, to: number): number {
		const length = to - from;
		if (((lengths[node] as number) & (1 << (length & 31))) === 0) return 0;
		const end = last[node] as number;
		for (let child = node + 1; child <= end; child = (last[child] as number) + 1) {
			const key = keys[child] as Uint8Array;
			if (key.length !== length) continue;
			let i = 0;
			while (i < length && key[i] === bytes[from + i]) i += 1;
			if (i === length) return child;
		}
		return 0;
	}

	/** Notes that a key on a wanted path is here; what an equal key brought before no longer counts. */
	function meet(node: number): void {
		if (seen[node] === serial) {
			flags |= scanFlag.duplicate;
			const end = last[node] as number;
			for (let below = node; below <= end; below += 1) {
				seen[below] = 0;
				const column = columns.to[fields[below] as number];
				if (column) column[row] = 0;
			}
		}
		seen[node] = serial;
	}

	function value(node: number, at: number): number {
		const byte = bytes[at] as number;
		if (byte === quote) return string(at + 1);
		if (byte === openBracket) return container(at);
		if (byte !== openBrace) return scalar(at);
		return (last[node] as number) > node && node > 0 ? object(node, at) : container(at);
	}

	/** Reads an object on a wanted path; `at` is at its brace. */
	function object(node: number, at: number): number {
		let p = spaces(at + 1);
		if (bytes[p] === closeBrace) return p + 1;
		for (;;) {
			if (bytes[p] !== quote) return unexpected(bytes[p] as number);
			const key = p + 1;
			p = string(key);
			if (p < 0) return p;
			let child = 0;
			if (escaped) flags |= scanFlag.escapedKey;
			else child = childOf(node, key, p - 1);
			if (child > 0) meet(child);
			p = spaces(p);
			if (bytes[p] !== colon) return unexpected(bytes[p] as number);
			const start = spaces(p + 1);
			p = value(child, start);
			if (p < 0) return p;
			if (child > 0) keep(fields[child] as number, start, p);
			p = spaces(p);
			if (bytes[p] === closeBrace) return p + 1;
			if (bytes[p] !== comma) return unexpected(bytes[p] as number);
			p = spaces(p + 1);
		}
	}

	function keep(field: number, from: number, to: number): void {
		if (field < 0) return;
		(columns.from[field] as Uint32Array)[row] = from - lineStart;
		(columns.to[field] as Uint32Array)[row] = to - lineStart;
	}

	/** The newline that ends the line at `lineStart`. */
	function line(fileStart: boolean): number {
		let p = lineStart;
		if (fileStart && bytes[p] === 0xef && bytes[p + 1] === 0xbb && bytes[p + 2] === 0xbf) {
			flags |= scanFlag.bom;
			p += 3;
		}
		p = spaces(p);
		if (bytes[p] === newline) {
			flags |= scanFlag.blank;
			return p;
		}
		p = bytes[p] === openBrace ? object(0, p) : fail(scanFlag.notObject);
		if (p < 0) return bytes.indexOf(newline, lineStart);
		p = spaces(p);
		if (bytes[p] === newline) return p;
		flags |= scanFlag.trailing;
		return bytes.indexOf(newline, p);
	}

	return (window, from, to, base) => {
		bytes = window;
		lineStart = from;
		row = 0;
		while (lineStart < to && row < batchLines) {
			for (const column of columns.to) column[row] = 0;
			flags = 0;
			serial += 1;
			const next = line(base + lineStart === 0) + 1;
			columns.at[row] = base + lineStart;
			columns.end[row] = base + next;
			columns.flags[row] = flags;
			lineStart = next;
			row += 1;
		}
		return { lines: row, next: lineStart };
	};
}
