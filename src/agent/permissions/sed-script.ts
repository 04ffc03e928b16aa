/** The files that a script of `sed` reads and writes: its commands `r`, `w` and the flag `w` of a substitution. */

export interface SedFiles {
	readonly reads: readonly string[];
	readonly writes: readonly string[];
}

export function sedScriptFiles(script: string): SedFiles {
	const reads: string[] = [];
	const writes: string[] = [];
	let at = 0;
	const line = (): string => {
		const end = script.indexOf('\n', at);
		const text = script.slice(at, end === -1 ? undefined : end).trim();
		at = end === -1 ? script.length : end + 1;
		return text;
	};
	while (at < script.length) {
		const sign = script.charAt(at++);
		if (sign === '/') at = behind(script, at, '/');
		else if (sign === '\\') at = behind(script, at + 1, script.charAt(at));
		else if (sign === 's' || sign === 'y') {
			const mark = script.charAt(at);
			at = behind(script, behind(script, at + 1, mark), mark);
			at += /^[gpiIemM\d\s]*/.exec(script.slice(at))?.[0].length ?? 0;
			if (sign === 's' && script.charAt(at) === 'w') {
				at++;
				writes.push(line());
			}
		} else if (sign === 'w' || sign === 'W') writes.push(line());
		else if (sign === 'r' || sign === 'R') reads.push(line());
		else if (/[aic#]/.test(sign)) line();
		else if (/[btT:]/.test(sign)) at += /^[^;\n}]*/.exec(script.slice(at))?.[0].length ?? 0;
	}
	return { reads, writes };
}

/** The place after the next `mark` that is not escaped. */
function behind(script: string, from: number, mark: string): number {
	for (let at = from; at < script.length; at++) {
		const sign = script.charAt(at);
		if (sign === '\\') at++;
		else if (sign === mark) return at + 1;
	}
	return script.length;
}
