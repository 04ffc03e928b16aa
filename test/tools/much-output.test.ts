/** A command that prints much. The file has a process of its own: what other tests hold would count as the command's memory. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bash } from '../../src/tools/bash.ts';
import { CommandOutput } from '../../src/tools/bash-output.ts';
import { textOf, toolBench } from '../support/tool-bench.ts';

it('a gigabyte fills neither memory nor disk', async () => {
	const { use, outputs } = toolBench();
	const before = process.memoryUsage().rss;
	let most = 0;
	const watch = setInterval(() => {
		most = Math.max(most, process.memoryUsage().rss);
	}, 20);
	const output = await use(bash, { command: 'yes 0123456789 | head -c 1000000000', timeout: 100_000 });
	clearInterval(watch);
	expect(textOf(output)).toContain('Output too large (953.7MB). The first 64MB of it saved to: ');
	expect((most - before) / 1024 / 1024).toBeLessThan(150);
	expect(statSync(join(outputs, 'c1.txt')).size).toBeLessThan(65 * 1024 * 1024);
});

it('the file says that it is not all, also where what fits ends with what was read at once', async () => {
	const { context } = toolBench();
	const output = new CommandOutput(context);
	const chunk = 'x'.repeat(1024 * 1024);
	for (let count = 0; count < 64; count += 1) await output.add(chunk);
	expect(output.shown()).toContain('Full output saved to: ');
	await output.add('y');
	expect(output.shown()).toContain('The first 64MB of it saved to: ');
});

it('a command that goes to the background while its first long output is being kept has one file, which grows', async () => {
	const { context, outputs } = toolBench();
	const output = new CommandOutput(context);
	const adding = output.add('x'.repeat(40_000));
	const path = await output.toFile(join(outputs, 'told.output'));
	await adding;
	await output.add('and more\n');
	expect(readFileSync(path, 'utf8')).toBe(`${'x'.repeat(40_000)}and more\n`);
	expect(readdirSync(outputs)).toHaveLength(1);
});
