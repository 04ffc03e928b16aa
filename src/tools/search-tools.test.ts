/** What Glob and Grep leave out. What they answer is in `test/tools`. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searched } from '../../test/support/search-project.ts';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';

const project = () => toolBench(searched);

describe('Glob', () => {
	it('a file that a rule hides is not found', async () => {
		const { use, at, context } = project();
		context.hides = async () => (path) => path === at('src/index.js');
		expect(textOf(await use(glob, { pattern: 'src/*.js' }))).toBe('No files found');
	});
});

describe('Grep', () => {
	it('what a rule hides is found in no mode, and links lead nowhere', async () => {
		const { use, at, context } = project();
		mkdirSync(join(context.outputFolder, 'away'), { recursive: true });
		writeFileSync(join(context.outputFolder, 'away/x.js'), 'TODO away');
		symlinkSync(join(context.outputFolder, 'away'), at('src/link'));
		context.hides = async () => (path) => path === at('src/index.js');
		for (const output_mode of ['content', 'count', 'files_with_matches']) {
			const text = textOf(await use(grep, { pattern: 'TODO|log', path: 'src', output_mode, '-C': 1 }));
			expect(text).toContain('src/lib/add.js');
			expect(text).not.toContain('index.js');
			expect(text).not.toContain('away');
		}
	});

	it('a search that is interrupted ends', async () => {
		const { use, control } = project();
		control.abort();
		expect(textOf(await use(grep, { pattern: 'x' }))).toBe('The user interrupted the search.');
	});
});
