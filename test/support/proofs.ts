/** Tests that documents name as proofs: `path.test.ts`: "title". */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Proof {
	readonly path: string;
	readonly title: string;
}

export function proofsIn(text: string): readonly Proof[] {
	return [...text.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)].map(([, path = '', title = '']) => ({ path, title }));
}

/** What is wrong with a proof; undefined where the file has a test of the title. */
export function missingProof({ path, title }: Proof): string | undefined {
	const file = join(root, path);
	if (!existsSync(file)) return `${path} does not exist`;
	return readFileSync(file, 'utf8').includes(title) ? undefined : `${path} has no test "${title}"`;
}
