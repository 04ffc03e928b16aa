/** Ids that a target needs and a source lacks, derived from the source: converting twice gives equal bytes. */
import { createHash } from 'node:crypto';

/** Lower-case hex of `length` digits that depends on the parts and nothing else. */
export function deriveHex(length: number, ...parts: readonly string[]): string {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(`${part.length}:${part}`);
	return hash.digest('hex').slice(0, length);
}

/** A version 4 shaped UUID that depends on the parts and nothing else. */
export function deriveUuid(...parts: readonly string[]): string {
	const hex = deriveHex(32, ...parts);
	const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
	return uuid.test(text);
}
