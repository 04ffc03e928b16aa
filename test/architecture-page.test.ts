/** The page about the architecture tells the truth: every step of its walks, and every file it names, is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

it('every step of a walk is a function or class of the file that it names', () => {
	const steps = [...page.matchAll(/`(src\/[\w/.-]+\.ts):(\w+)`/g)].map(([, file, name]) => ({ file, name }));
	expect(steps.length).toBeGreaterThan(20);
	const missing = steps.filter(({ file, name }) => {
		const path = join(root, file ?? '');
		const declared = new RegExp(`^export (?:async )?(?:function\\*?|class|const) ${name}\\b`, 'm');
		return !existsSync(path) || !declared.test(readFileSync(path, 'utf8'));
	});
	expect(missing).toEqual([]);
});

it('every file that the documents of the house name is there', () => {
	const documents = ['ARCHITECTURE.md', 'AGENTS.md', 'src/store/README.md', 'src/move/README.md', 'src/scan/README.md'];
	const missing = documents.flatMap((document) =>
		[...readFileSync(join(root, document), 'utf8').matchAll(/`((?:src|test|scripts|docs)\/[\w/.-]+\.\w+)(?::\w+)?`/g)]
			.map(([, file]) => file ?? '')
			.filter((file) => !existsSync(join(root, file)))
			.map((file) => `${document}: ${file}`),
	);
	expect(missing).toEqual([]);
});

it('every file that the README of a codec names is in its folder, or in the tree', () => {
	const codecs = join(root, 'src/codecs');
	const missing = readdirSync(codecs).flatMap((format) => {
		const readme = join(codecs, format, 'README.md');
		if (!existsSync(readme)) return [];
		const own = readdirSync(join(codecs, format), { recursive: true, encoding: 'utf8' });
		return [...readFileSync(readme, 'utf8').matchAll(/`([\w/-]+\.ts)`/g)]
			.map(([, file]) => file ?? '')
			.filter((file) => !own.some((one) => one === file || one.endsWith(`/${file}`)) && !existsSync(join(root, file)))
			.map((file) => `${format}: ${file}`);
	});
	expect(missing).toEqual([]);
});

it('fits on a few screens', () => {
	expect(page.slice(0, page.indexOf('## Dependencies')).split('\n').length).toBeLessThan(130);
});
