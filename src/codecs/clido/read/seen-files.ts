/** Finds files whose hash was noted with a result, or whose text it shows. The last note counts: the session itself made others stale. */
import { compact, isObject, type ToolCallBlock } from '../../../model/index.ts';
import { type HasEntries, type SeenFile, SeenFiles, seeOwnTool } from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	const calls = new Map<string, ToolCallBlock>();
	for (const entry of session.entries) {
		for (const block of entry.kind === 'message' ? entry.content : []) {
			if (block.type === 'tool_call') calls.set(block.id, block);
			if (block.type !== 'tool_result') continue;
			const call = calls.get(block.call);
			calls.delete(block.call);
			if (!block.file) continue;
			const { path, sha256, mtimeNs } = block.file;
			if (sha256 !== undefined)
				seen.put({ path, entry: entry.id, is: { sha256 }, ...compact({ mtimeNs, time: entry.time }) });
			else if (call && !block.isError) {
				// By the path of the result: that of the call may be relative, and name the same file a second time.
				const input = { ...(isObject(call.input) ? call.input : {}), file_path: path };
				seeOwnTool({ entry, call, input, result: block }, seen);
			}
		}
	}
	return seen.list();
}
