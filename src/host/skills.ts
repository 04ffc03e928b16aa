/** What a skill's file says of itself, as far as permissions depend on it. */
import { join } from 'node:path';
import { readIfThere } from '../log/regular-file.ts';

const largest = 1024 * 1024;

/** True for a skill that wants tools allowed while it is used. One that nobody has here wants nothing. */
export function skillGrants(name: string, folders: readonly string[]): boolean {
	if (!/^[\w.:-]+$/.test(name) || name.includes('..')) return true;
	return folders
		.flatMap((folder) => [
			join(folder, 'skills', name, 'SKILL.md'),
			join(folder, 'commands', `${name.replaceAll(':', '/')}.md`),
		])
		.some((path) => /^allowed-tools\s*:/m.test(frontMatter(path)));
}

function frontMatter(path: string): string {
	const text = readIfThere(path, largest)?.toString('utf8') ?? '';
	return /^\uFEFF?---\r?\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '';
}
