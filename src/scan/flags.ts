/** What the scanner says about a line besides where its fields are. */

/** One bit each, or-ed together. 0 = nothing to say. */
export const scanFlag = {
	/** Nothing but spaces, tabs and carriage returns. */
	blank: 1 << 0,
	/** A byte order mark stands before the line; spans count from the line's start and are right for the text after it. */
	bom: 1 << 1,
	/** The first byte that is not a space is not `{`. */
	notObject: 1 << 2,
	/** The line ends before its object does. */
	torn: 1 << 3,
	/** A bracket is closed by the other kind. */
	unbalanced: 1 << 4,
	/** Something follows the object. */
	trailing: 1 << 5,
	/** Between keys and values stands what JSON does not allow there. */
	syntax: 1 << 6,
	/** A control character that JSON does not allow where it stands. */
	control: 1 << 7,
	/** A key on a wanted path comes twice. As in JSON.parse the last one counts. */
	duplicate: 1 << 8,
	/** A key beside a wanted one is written with escapes: it may be the wanted one in disguise. */
	escapedKey: 1 << 9,
	/** Nested deeper than the scanner follows. */
	deep: 1 << 10,
	/** Longer than the scanner may hold: only its bounds are known. */
	tooLong: 1 << 11,
	/** The last line of the input lacks its newline. This alone leaves nothing undecided. */
	unended: 1 << 12,
	/** The plan's gate turned the line away: only what stands before and at the gate is known. No flaw, and no doubt. */
	skipped: 1 << 13,
} as const;

export type ScanFlag = keyof typeof scanFlag;

/**
 * JSON.parse would throw on such a line or give something that is no object (for `bom`: on the bytes as they are). What
 * was found before the flaw is still reported.
 */
export const brokenFlags =
	scanFlag.blank |
	scanFlag.bom |
	scanFlag.notObject |
	scanFlag.torn |
	scanFlag.unbalanced |
	scanFlag.trailing |
	scanFlag.syntax |
	scanFlag.control;

/** The line may be good JSON, but its spans may say something else than JSON.parse: ask JSON.parse. */
export const undecidedFlags = scanFlag.duplicate | scanFlag.escapedKey | scanFlag.deep | scanFlag.tooLong;

/**
 * With none of these, JSON.parse of the line either throws or finds exactly what the spans hold, and a path is absent
 * here if and only if it is absent there. It may still throw: between brackets that no wanted path leads into, and
 * inside numbers, words and escapes, nothing is checked.
 */
export const doubtFlags = brokenFlags | undecidedFlags;

/** The names of the flags that are set, for messages and tests. */
export function flagNames(flags: number): readonly ScanFlag[] {
	return (Object.keys(scanFlag) as ScanFlag[]).filter((name) => (flags & scanFlag[name]) !== 0);
}
