/** Walks the branches of a pi or OpenClaw session and prints where each ends, and asks an API with messages of its own. */
import { branches, entryText, openSession, path } from 'reprise';
import { newestRules, toOpenAiChat, type UserMessage } from 'reprise/openclaw';

const session = await openSession(process.argv[2] ?? 'samples/openclaw.jsonl');
for (const branch of branches(session)) {
	const entries = path(session, branch.leaf);
	const last = entries.at(-1);
	console.log(`${entries.length} entries, ends with: ${last ? entryText(last).slice(0, 60) : ''}`);
}
const message: UserMessage = { role: 'user', content: 'Hello', timestamp: 0 };
const target = { provider: 'openai', api: 'openai-completions', model: 'gpt-5' };
console.log(JSON.stringify(toOpenAiChat([message], target, newestRules).messages));
