/** Lists the tool calls of a Cline session with what became of each, and what its manifest says. */
import { readFileSync } from 'node:fs';
import { openSession } from 'reprise';
import { parseManifest } from 'reprise/cline';

const path = process.argv[2] ?? 'samples/cline.messages.json';
const manifest = parseManifest(readFileSync(path.replace(/\.messages\.json$/, '.json')));
if (manifest) console.log(`${manifest.session_id}: ${manifest.status}`);
const session = await openSession(path);
const blocks = session.entries.flatMap((entry) => (entry.kind === 'message' ? entry.content : []));
for (const call of blocks) {
	if (call.type !== 'tool_call') continue;
	const result = blocks.find((block) => block.type === 'tool_result' && block.call === call.id);
	const state = result?.type !== 'tool_result' ? 'unanswered' : result.isError ? 'failed' : 'done';
	console.log(`${call.name}: ${state}`);
}
