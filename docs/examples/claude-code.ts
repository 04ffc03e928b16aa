/** Prints the conversation of a Claude Code session, turn by turn, with the tokens of each. */
import { entryText, openSession, turns, usageOf } from 'reprise';

const session = await openSession(process.argv[2] ?? 'samples/claude-code.jsonl');
for (const turn of turns(session)) {
	const usage = usageOf(turn.entries);
	console.log(`> ${turn.prompt ? entryText(turn.prompt) : '(before the first prompt)'}`);
	console.log(
		`  ${turn.entries.length} entries, ${usage.output} tokens written, ${usage.cacheRead} read from the cache`,
	);
}
