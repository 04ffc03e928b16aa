/** The seed checklist: every row is there, and every proof it names exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/seed-checklist.md'), 'utf8');
const issues = ['Context and scanner', 'Store', 'Catalog', 'Move', 'The agent runtime'];

interface Row {
	readonly seed: string;
	readonly ref: string;
	readonly proof: string;
	readonly text: string;
}

function rows(): readonly Row[] {
	const found: Row[] = [];
	let seed = '';
	for (const line of page.split('\n')) {
		const heading = /^## (.+)$/.exec(line)?.[1];
		if (heading) seed = heading;
		const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
		if (cells.length !== 7 || cells[1] === 'ref' || /^:?-+:?$/.test(cells[1] ?? '')) continue;
		found.push({ seed, ref: cells[1] ?? '', proof: cells[5] ?? '', text: line });
	}
	return found;
}

describe('seed checklist', () => {
	it('every row that was ever listed is still there', () => {
		const listed = JSON.parse(readFileSync(join(root, 'test/seeds/rows.json'), 'utf8')) as { [seed: string]: string[] };
		const present: { [seed: string]: string[] } = {};
		for (const row of rows()) {
			present[row.seed] ??= [];
			present[row.seed]?.push(row.ref);
		}
		for (const [seed, refs] of Object.entries(listed)) {
			expect(
				refs.filter((ref) => !present[seed]?.includes(ref)),
				seed,
			).toEqual([]);
		}
		expect(Object.keys(listed)).toHaveLength(5);
	});

	it('every row has a proof: a test that exists, the issue that brings it, or "later"', () => {
		const wrong = rows().flatMap((row) => {
			const problem = problemOf(row.proof);
			return problem ? [`${row.seed} ${row.ref}: ${problem}`] : [];
		});
		expect(wrong).toEqual([]);
	});
});

function problemOf(proof: string): string | undefined {
	if (proof === 'later') return undefined;
	const issue = /^issue: (.+)$/.exec(proof)?.[1];
	if (issue !== undefined) return issues.includes(issue) ? undefined : `unknown issue ${issue}`;
	const tests = [...proof.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)];
	if (tests.length === 0) return `no proof in "${proof}"`;
	for (const [, path = '', title = ''] of tests) {
		const file = join(root, path);
		if (!existsSync(file)) return `${path} does not exist`;
		if (!readFileSync(file, 'utf8').includes(title)) return `${path} has no test "${title}"`;
	}
	return undefined;
}
