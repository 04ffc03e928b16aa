/** Finds files whose hash Clido noted with a result. The last note counts: the session itself made others stale. */
import { compact } from '../../../model/index.ts';
import { type HasEntries, type SeenFile, SeenFiles } from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	for (const entry of session.entries) {
		for (const block of entry.kind === 'message' ? entry.content : []) {
			if (block.type !== 'tool_result' || block.file?.sha256 === undefined) continue;
			const { path, sha256, mtimeNs } = block.file;
			seen.put({ path, entry: entry.id, is: { sha256 }, ...compact({ mtimeNs, time: entry.time }) });
		}
	}
	return seen.list();
}
