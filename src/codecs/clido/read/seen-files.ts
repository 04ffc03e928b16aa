/** Finds files whose hash was noted with a result, or whose text it shows. The last note counts: the session itself made others stale. */
import { compact } from '../../../model/index.ts';
import { type HasEntries, type SeenFile, SeenFiles, seeOwnTool, toolRuns } from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	const runs = new Map([...toolRuns(session)].map((run) => [run.result, run]));
	for (const entry of session.entries) {
		for (const block of entry.kind === 'message' ? entry.content : []) {
			if (block.type !== 'tool_result' || !block.file) continue;
			const { path, sha256, mtimeNs } = block.file;
			const run = runs.get(block);
			if (sha256 !== undefined)
				seen.put({ path, entry: entry.id, is: { sha256 }, ...compact({ mtimeNs, time: entry.time }) });
			// By the path of the result: that of the call may be relative, and name the same file a second time.
			else if (run) seeOwnTool({ ...run, input: { ...run.input, file_path: path } }, seen);
		}
	}
	return seen.list();
}
