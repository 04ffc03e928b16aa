/** Lists the tool calls of a Cline session with what became of each. */
import { openSession } from 'reprise';

const session = await openSession(process.argv[2] ?? 'samples/cline.messages.json');
const blocks = session.entries.flatMap((entry) => (entry.kind === 'message' ? entry.content : []));
for (const call of blocks) {
	if (call.type !== 'tool_call') continue;
	const result = blocks.find((block) => block.type === 'tool_result' && block.call === call.id);
	const state = result?.type !== 'tool_result' ? 'unanswered' : result.isError ? 'failed' : 'done';
	console.log(`${call.name}: ${state}`);
}
