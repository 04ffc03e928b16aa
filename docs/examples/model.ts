/** The model by itself: a conversation made by hand, and what can be asked about it without any file. */
import { type Entry, entryText, path, turns, type Usage, usageOf } from 'reprise/model';

const usage: Usage = { input: 12, output: 7, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const entries: readonly Entry[] = [
	{
		kind: 'message',
		id: 'a',
		parent: null,
		records: [],
		role: 'user',
		content: [{ type: 'text', text: 'How are you?' }],
	},
	{
		...{ kind: 'message', id: 'b', parent: 'a', records: [], role: 'assistant' },
		content: [{ type: 'text', text: 'Well, thank you.' }],
		response: { model: 'some-model', usage },
	},
];
const session = { entries, leaf: 'b' };
for (const entry of path(session)) console.log(`${entry.kind}: ${entryText(entry)}`);
console.log(`${turns(session).length} turn, ${usageOf(entries).output} tokens written`);
