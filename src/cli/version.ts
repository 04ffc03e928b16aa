/** The package's version, read from its package.json so that it is written in one place. */
import { readFileSync } from 'node:fs';

export function version(): string {
	const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
	return (JSON.parse(text) as { readonly version: string }).version;
}
