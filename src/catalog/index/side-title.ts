/** The title of a session that stands in a file beside it, so that a search finds it as it finds one inside. */
import { codecOf, sideHeaders } from '../../codecs/index.ts';
import type { Access, SessionFile } from '../cost/collect.ts';

/** What stands for the id of the entry, which such a title does not have. */
export const sideTitle = 'title';

const largestManifest = 1 << 20;

/** Undefined where there is none, or where it is only the beginning of what was `said` first: that is found anyway. */
export function titleBeside({ format, path }: SessionFile, access: Access, said = ''): string | undefined {
	const codec = codecOf(format);
	const manifest = codec?.places.manifest?.(path);
	if (!codec || manifest === undefined) return undefined;
	const files = () => codec.places.sideFiles(path, access.folders).filter((file) => file.path === manifest);
	const read = (file: string): Uint8Array => {
		using side = access.open(file);
		return side.read(0, largestManifest);
	};
	const title = sideHeaders(codec, files, {}, read).title?.trim();
	return !title || said.includes(title) ? undefined : title;
}
