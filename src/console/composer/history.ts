/** The file of typed prompts (`console-history.jsonl`): how many are kept, how long one may be, and in which order ↑ and Ctrl-R give them. Unsent prompts are kept in `draft.ts`. */
import { appendFileSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../log/errors.ts';
import { openRegular, readInto } from '../../log/regular-file.ts';
import { isObject, parsedJson } from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { closeDataFolder, dataFolder } from '../../store/own-data/data-folder.ts';

const mostRead = 1 << 18;
/** As many as the line of input keeps. */
const mostKept = 100;
/** A pasted file is not worth keeping a second time. */
const longestKept = 20_000;

function historyFile(): string {
	return join(dataFolder(thisMachine()), 'console-history.jsonl');
}

/** The oldest first, each once; those that were typed in this folder behind all others, where somebody looks first. */
export function readHistory(cwd: string): readonly string[] {
	const typed = written()
		.split('\n')
		.flatMap((line) => {
			const value = parsedJson(line);
			return isObject(value) && typeof value.text === 'string' ? [{ text: value.text, cwd: value.cwd }] : [];
		})
		.reverse();
	const sorted = [...typed.filter((one) => one.cwd === cwd), ...typed.filter((one) => one.cwd !== cwd)];
	return [...new Set(sorted.map(({ text }) => text))].slice(0, mostKept).reverse();
}

/** The end of the file; nothing where there is none. */
function written(): string {
	try {
		const { file, stat } = openRegular(historyFile());
		try {
			const bytes = Buffer.alloc(Math.min(mostRead, Number(stat.size)));
			const length = readInto(file, Number(stat.size) - bytes.length, bytes);
			return bytes.toString('utf8', 0, length);
		} finally {
			closeSync(file);
		}
	} catch (error) {
		if (codeOf(error) !== undefined) return '';
		throw error;
	}
}

/** True when it is kept. A folder that cannot be written is no reason not to go on. */
export function keepInHistory(text: string, cwd: string, at: number): boolean {
	if (text.trim() === '' || text.length > longestKept) return false;
	try {
		closeDataFolder(thisMachine());
		appendFileSync(historyFile(), `${JSON.stringify({ text, cwd, at })}\n`, { mode: 0o600 });
		return true;
	} catch (error) {
		if (codeOf(error) !== undefined) return false;
		throw error;
	}
}
