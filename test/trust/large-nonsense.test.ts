/** Files that no client would write, as large and as deep as they like: every command answers, in time that grows with their size. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { machineHere, runHere } from '../support/in-process.ts';
import { sampleOf } from '../support/sessions.ts';

const here = machineHere({ NO_COLOR: '1' });
const sample = readFileSync(sampleOf['claude-code'], 'utf8');
const prompt = sample.split('\n').find((line) => line.includes('"type":"user"')) ?? '';

function file(name: string, lines: readonly string[], before = sample): string {
	const path = join(here().root, name);
	writeFileSync(path, `${before}${lines.join('\n')}\n`);
	return path;
}

/** The sample's prompt under another id, with other values. */
const line = (values: object): string => JSON.stringify({ ...(JSON.parse(prompt) as object), ...values });
const piSample = readFileSync(sampleOf.openclaw, 'utf8');
const piPrompt = JSON.parse(piSample.split('\n').find((one) => one.includes('"type":"message"')) ?? '') as {
	id: string;
};
const uuid = (n: number): string => `5e5510a0-0000-4000-9000-${String(n).padStart(12, '0')}`;

describe('a session', () => {
	it('content that is nested a hundred thousand times ends in an answer', async () => {
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		const open = '{"type":"text","text":'.repeat(100_000);
		for (const content of [deep, `[${open}1${'}'.repeat(100_000)}]`]) {
			const path = file('deep.jsonl', [
				line({ uuid: uuid(1), message: { role: 'user', content: 'DEEP' } }).replace('"DEEP"', content),
			]);
			for (const command of [['repair', '--dry-run'], ['show'], ['check'], ['inspect'], ['context'], ['fork']]) {
				const { err } = await runHere([...command, path], { terminal: false });
				expect({ command, err: err.match(/^ {4}at |RangeError/gm) }).toEqual({ command, err: null });
			}
		}
	});

	it('a hundred thousand lines without meaning are folded', async () => {
		const path = file(
			'empty.jsonl',
			Array.from({ length: 150_000 }, () => '{}'),
		);
		const { code, out, err } = await runHere(['repair', path, '--dry-run'], { terminal: false });
		expect({ code, err }).toEqual({ code: 0, err: '' });
		const said = out.replaceAll(/\s+/g, ' ');
		expect(said).toContain('149,900 more of the kind');
		expect(said).toContain('150,000 changes, 150,000 parts gone, nothing written');
	});

	/** Sessions of a size, by what is odd about them, and the command that used to take the square of it. */
	const growing: readonly (readonly [string, number, readonly string[], (n: number) => string, string])[] = [
		[
			'siblings',
			6000,
			['show'],
			(n) =>
				line({
					uuid: uuid(n),
					parentUuid: '5e5510a0-0000-4000-8000-000000000002',
					message: { role: 'user', content: `s${n}` },
				}),
			sample,
		],
		[
			'lines of one id',
			1500,
			['repair', '--dry-run'],
			(n) => line({ uuid: uuid(1), message: { role: 'user', content: `s${n}` } }),
			sample,
		],
		[
			'lines of one id in pi’s format',
			3000,
			['repair', '--dry-run'],
			() => JSON.stringify({ ...piPrompt, id: 'deadbeef', parentId: piPrompt.id }),
			piSample,
		],
	];
	it.each(growing)('four times as much takes about four times as long: %s', async (_, size, command, make, before) => {
		const time = async (count: number): Promise<number> => {
			const path = file(
				`${count}.jsonl`,
				Array.from({ length: count }, (_, n) => make(n)),
				before,
			);
			const began = performance.now();
			const { code } = await runHere([...command, path], { terminal: false });
			expect(code).toBeLessThan(2);
			return performance.now() - began;
		};
		await time(100); // loads what is needed
		const small = Math.max(100, await time(size));
		// Sixteen times would be the square; a busy machine may make it somewhat more than four.
		expect((await time(4 * size)) / small).toBeLessThan(11);
	});

	it('the first search over copies of one session takes as long as there are copies', async () => {
		const time = async (count: number): Promise<number> => {
			const home = join(here().root, `home-${count}`);
			const folder = join(home, '.claude/projects/-copies');
			mkdirSync(folder, { recursive: true });
			for (let n = 0; n < count; n += 1) writeFileSync(join(folder, `${uuid(n)}.jsonl`), sample);
			vi.stubEnv('HOME', home);
			vi.stubEnv('CLAUDE_CONFIG_DIR', join(home, '.claude'));
			vi.stubEnv('REPRISE_HOME', join(home, 'own'));
			const before = performance.now();
			expect((await runHere(['search', '--all', 'parser'], { terminal: false })).code).toBe(0);
			return performance.now() - before;
		};
		await time(10); // loads what is needed
		const small = Math.max(300, await time(300));
		// Twenty-five times would be the square.
		expect((await time(1500)) / small).toBeLessThan(13);
	});
});
