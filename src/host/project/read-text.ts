/** The beginning of a small text file of a project; what is no regular file, or may not be read, has none. */
import { codeOf } from '../../log/errors.ts';
import { readRegular } from '../../log/regular-file.ts';

/** So many characters of a text; undefined where there is no regular file, or none that may be read. */
export function readText(path: string, most: number): string | undefined {
	try {
		return readRegular(path, most * 4)
			.toString('utf8')
			.slice(0, most);
	} catch (error) {
		if (codeOf(error) !== undefined) return undefined;
		throw error;
	}
}
