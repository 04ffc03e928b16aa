/** Walks the branches of a pi or OpenClaw session and prints where each ends. */
import { branches, entryText, openSession, path } from 'reprise';

const session = await openSession(process.argv[2] ?? 'samples/openclaw.jsonl');
for (const branch of branches(session)) {
	const entries = path(session, branch.leaf);
	const last = entries.at(-1);
	console.log(`${entries.length} entries, ends with: ${last ? entryText(last).slice(0, 60) : ''}`);
}
