/** Which calls have no result yet, line by line. */

export const noCalls: readonly string[] = [];

/** The open calls behind a line that makes some and answers others. Nearly every line does at most one of it, for one call. */
export function stillOpen(
	open: readonly string[],
	calls: readonly string[],
	results: readonly string[],
): readonly string[] {
	const made = open.length === 0 && calls.length === 1 ? calls : withCalls(open, calls);
	if (made.length === 1 && results.length === 1 && made[0] === results[0]) return noCalls;
	return results.some((call) => made.includes(call)) ? made.filter((call) => !results.includes(call)) : made;
}

function withCalls(open: readonly string[], calls: readonly string[]): readonly string[] {
	if (calls.length === 0) return open;
	return [...open, ...calls.filter((call, at) => calls.indexOf(call) === at && !open.includes(call))];
}
