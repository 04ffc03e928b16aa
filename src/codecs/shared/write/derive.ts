/** Derives ids that a target needs and a source lacks, so that converting twice gives equal bytes; and call ids that the Messages API takes. */
import { hash } from 'node:crypto';

/** Lower-case hex of `length` digits that depends only on the parts. */
export function deriveHex(length: number, ...parts: readonly string[]): string {
	return deriveFrom(length, parts);
}

/** `deriveHex` for more parts than a call can take. */
export function deriveFrom(length: number, parts: readonly string[]): string {
	return hash('sha256', told(parts)).slice(0, length);
}

function told(parts: readonly string[]): string {
	let text = '';
	for (const part of parts) text += `${part.length}:${part}`;
	return text;
}

/** A UUID in the form of version 4 that depends only on the parts. */
export function deriveUuid(...parts: readonly string[]): string {
	return shaped(hash('sha256', told(parts)));
}

const shortHex = /^[0-9a-f]{8}$/;
const mostBases = 1 << 10;

/**
 * `deriveUuid` for many things that belong to `first`. An id of eight hex digits becomes a UUID that ends with them:
 * that costs no hash, and shows where it came from.
 */
export function uuidsAfter(...first: readonly string[]): (id: string, ...parts: readonly string[]) => string {
	const start = told(first);
	const bases = new Map<string, string>();
	const baseOf = (part: string): string => {
		let base = bases.get(part);
		if (base === undefined) {
			base = shaped(hash('sha256', start + told([part]))).slice(0, -8);
			if (bases.size < mostBases) bases.set(part, base);
		}
		return base;
	};
	return (id, ...parts) => {
		if (parts.length < 2 && shortHex.test(id)) return baseOf(parts[0] ?? '') + id;
		return shaped(hash('sha256', start + told([id, ...parts])));
	};
}

function shaped(hex: string): string {
	const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
	return uuid.test(text);
}

const toolId = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool call id that the Messages API takes; equal ids stay equal. */
export function nativeCallId(id: string): string {
	return toolId.test(id) ? id : `toolu_${deriveHex(24, 'tool-call', id)}`;
}
