/** The line that says which session `last` or `-c` means: its title, its agent, and its age in words. */
import { statSync } from 'node:fs';
import { agentOf } from '../store/find/session-files.ts';
import { glance } from '../store/reader/glance.ts';
import { identify } from '../store/reader/identify.ts';
import { clip, complain, oneLine } from '../terminal/print.ts';

/** On stderr: `reprise: last is “Paint the shed” (claude-code, 3 hours ago)`. Nothing for a session that was named. */
export function tellLast(argument: string, path: string): void {
	if (argument === 'last') complain(`last is ${whichText(path)}`);
}

const longestTitle = 60;

export function whichText(path: string): string {
	const found = identify(path);
	if (!found.ok) return path;
	const { codec } = found;
	found.source[Symbol.dispose]();
	const title = glance({ path, format: codec.id })?.title;
	const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
	const facts = [agentOf(codec.id, path), ...(written === undefined ? [] : [ageText(Date.now() - written)])];
	return `${title === undefined ? path : `“${clip(oneLine(title), longestTitle)}”`} (${facts.join(', ')})`;
}

const units: readonly (readonly [name: string, ms: number])[] = [
	['day', 86_400_000],
	['hour', 3_600_000],
	['minute', 60_000],
];

function ageText(ms: number): string {
	for (const [name, length] of units) {
		const count = Math.floor(ms / length);
		if (count > 0) return `${count} ${count === 1 ? name : `${name}s`} ago`;
	}
	return 'just now';
}
