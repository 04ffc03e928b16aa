/** Lines of JSON out of a stream of bytes, for every wire whose messages are lines: what ends a line, and how long one may be. */

/** Pictures come in lines. Of one that is longer than this nothing is kept. */
export const longestLine = 64 * 1024 * 1024;

/** Leaves out the byte order mark that hosts written in .NET begin with. */
const utf8 = new TextDecoder();

/**
 * The lines as they come; undefined stands for one that is too long. A line feed ends a line and nothing else does: JSON may hold every
 * other sign that ends lines somewhere (U+2028 in a text that was pasted), and a frame that is split there is lost.
 */
export async function* linesIn(input: AsyncIterable<unknown>): AsyncGenerator<string | undefined, void> {
	let parts: Buffer[] = [];
	let length = 0;
	const taken = (): string | undefined => {
		const line = length > longestLine ? undefined : utf8.decode(Buffer.concat(parts));
		parts = [];
		length = 0;
		return line;
	};
	for await (const chunk of input) {
		let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
		for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
			add(rest.subarray(0, end));
			yield taken();
			rest = rest.subarray(end + 1);
		}
		add(rest);
	}
	if (length > 0) yield taken();

	function add(part: Buffer): void {
		length += part.length;
		if (length > longestLine) parts = [];
		else parts.push(part);
	}
}
