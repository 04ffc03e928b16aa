/** Makes ids of new sessions and entries from random bytes, and tells which ids are safe as file names (200 characters at most). */

/** The latest time that the 48 bits of a UUID hold: foreign times may be anything. */
const latest = 2 ** 48 - 1;

/** A UUID of the given version; version 7 begins with the time. */
export function uuidOf(random: Uint8Array, version: 4 | 7, time = new Date(0)): string {
	const bytes = Buffer.from(random.subarray(0, 16));
	if (version === 7) bytes.writeUIntBE(Math.min(Math.max(0, time.getTime()), latest), 0, 6);
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	const hex = bytes.toString('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const plainId = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** True for an id that is safe as a file name: no separators, nothing that leads elsewhere. */
export function isPlainId(id: string): boolean {
	return id.length <= 200 && plainId.test(id);
}
