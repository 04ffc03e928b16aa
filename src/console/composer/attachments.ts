/** Pictures that a prompt names by their paths go along with it. */
import { homedir } from 'node:os';
import { basename, extname, resolve } from 'node:path';
import { readIfThere } from '../../log/regular-file.ts';
import type { ShownPicture } from '../state.ts';

const types: { readonly [ending: string]: string } = {
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.gif': 'image/gif',
	'.webp': 'image/webp',
};
/** No provider takes larger ones. */
const largest = 5 << 20;
const most = 10;

/** A path in quotes, or one in which blanks are escaped, as terminals write the name of a file that is dropped on them. */
const paths = /'([^'\n]+)'|"([^"\n]+)"|@?((?:\\.|[^\s\\'"])+)/g;

/** The text stays as it is: taking the path out of it takes the picture away. */
export function picturesIn(text: string, cwd: string): readonly ShownPicture[] {
	const pictures: ShownPicture[] = [];
	for (const [, single, double, bare] of text.matchAll(paths)) {
		const named = single ?? double ?? bare?.replace(/\\(.)/g, '$1') ?? '';
		const mime = types[extname(named).toLowerCase()];
		if (mime === undefined || pictures.length === most) continue;
		const bytes = bytesAt(resolve(cwd, named.replace(/^~(?=\/)/, homedir())));
		if (bytes && bytes.length > 0 && bytes.length <= largest)
			pictures.push({ name: basename(named), mime, base64: bytes.toString('base64') });
	}
	return pictures;
}

/** What cannot be read was not meant as a picture. */
function bytesAt(path: string): Buffer | undefined {
	try {
		return readIfThere(path, largest + 1);
	} catch (error) {
		if (error instanceof Error && 'code' in error) return undefined;
		throw error;
	}
}
