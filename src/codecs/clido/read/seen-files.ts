/** Finds files whose hash was noted with a result, or whose text it shows. The last note counts: the session itself made others stale. */
import { compact, type Entry, isObject, type ToolCallBlock, type ToolResultBlock } from '../../../model/index.ts';
import { type HasEntries, type SeenFile, SeenFiles, seeOwnTool } from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	const calls = new Map<string, ToolCallBlock>();
	for (const entry of session.entries) {
		for (const block of entry.kind === 'message' ? entry.content : []) {
			if (block.type === 'tool_call') calls.set(block.id, block);
			if (block.type !== 'tool_result') continue;
			see(block, calls.get(block.call), entry, seen);
			calls.delete(block.call);
		}
	}
	return seen.list();
}

function see(result: ToolResultBlock, call: ToolCallBlock | undefined, entry: Entry, seen: SeenFiles): void {
	if (!result.file) return;
	const { path, sha256, mtimeNs } = result.file;
	if (sha256 !== undefined) {
		seen.put({ path, entry: entry.id, is: { sha256 }, ...compact({ mtimeNs, time: entry.time }) });
	} else if (call && !result.isError) {
		// By the path of the result: that of the call may be relative, and name the same file a second time.
		const input = { ...(isObject(call.input) ? call.input : {}), file_path: path };
		seeOwnTool({ entry, call, input, result }, seen);
	}
}
