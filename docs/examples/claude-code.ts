/** Prints the conversation of a Claude Code session, turn by turn, with the tokens of each, and the types of its own lines. */
import { entryText, openSession, rawBytes, turns, usageOf } from 'reprise';
import { type ClaudeCodeLine, projectSlug } from 'reprise/claude-code';

const session = await openSession(process.argv[2] ?? 'samples/claude-code.jsonl');
console.log(`kept in the folder ${projectSlug(session.header.cwd ?? '/')}`);
for (const turn of turns(session)) {
	const usage = usageOf(turn.entries);
	const lines = turn.entries.flatMap((entry) => rawBytes(session, entry)).map((bytes) => Buffer.from(bytes).toString());
	const types = new Set(lines.map((line) => (JSON.parse(line) as ClaudeCodeLine).type));
	console.log(`> ${turn.prompt ? entryText(turn.prompt) : '(before the first prompt)'}`);
	console.log(`  ${turn.entries.length} entries in lines of type ${[...types].join(', ')}`);
	console.log(`  ${usage.output} tokens written, ${usage.cacheRead} read from the cache`);
}
