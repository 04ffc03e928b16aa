/** The SHA-256 of a file's bytes. That of the last large file is remembered, because an edit meets the same bytes several times: read, kept, written and looked at again. */
import { createHash } from 'node:crypto';

/** From this size on, comparing with what was summed last is much cheaper than summing. */
const large = 64 * 1024;
/** Held only as long as nobody needs the memory. The bytes of a file are never changed in place, or the sum would be another's. */
let last: { readonly parts: readonly WeakRef<Uint8Array>[]; readonly sha256: string } | undefined;

/** The sum of the bytes, or of parts that follow each other. */
export function sha256Of(...parts: readonly Uint8Array[]): string {
	const [only] = parts;
	if (only && parts.length === 1 && only.length < large) return sumOf(parts);
	if (only && parts.length === 1 && last && isMadeOf(last.parts, only)) return last.sha256;
	last = { parts: parts.map((part) => new WeakRef(part)), sha256: sumOf(parts) };
	return last.sha256;
}

function sumOf(parts: readonly Uint8Array[]): string {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part);
	return hash.digest('hex');
}

function isMadeOf(parts: readonly WeakRef<Uint8Array>[], bytes: Uint8Array): boolean {
	let at = 0;
	for (const held of parts) {
		const part = held.deref();
		if (!part || Buffer.compare(part, bytes.subarray(at, at + part.length)) !== 0) return false;
		at += part.length;
	}
	return at === bytes.length;
}
