/** The page about security: every promise names a test, and every test that it names is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingProof, proofsIn } from './support/proofs.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8');
const promised = page.slice(page.indexOf('## What is promised'), page.indexOf('## What is not promised'));
const rows = promised.split('\n').filter((line) => line.startsWith('| ') && !/^\| (promise|-)/.test(line));

it('every promise is held by a test', () => {
	expect(rows.length).toBeGreaterThan(30);
	expect(rows.filter((row) => proofsIn(row).length === 0)).toEqual([]);
});

it('every test that is named is there', () => {
	expect(
		proofsIn(page)
			.map(missingProof)
			.filter((problem) => problem !== undefined),
	).toEqual([]);
});
