/** Files that come with the package, and its version, which is written in package.json alone. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The bundle is as deep in the package as this file is: files of deeper folders ask here instead of counting from themselves. */
export function packageFile(path: string): string {
	return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

export function version(): string {
	const text = readFileSync(packageFile('package.json'), 'utf8');
	return (JSON.parse(text) as { readonly version: string }).version;
}
