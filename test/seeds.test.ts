/** Every sample of the documents that define the formats: read, counted, checked, and written back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { copySession } from '../src/store/manage/copy.ts';
import { checkFile } from '../src/store/reader/check.ts';
import { inspectSession } from '../src/store/reader/inspect.ts';
import { openSession } from '../src/store/reader/session-reader.ts';

const root = join(import.meta.dirname, 'seeds');
const samples = readdirSync(root, { recursive: true, withFileTypes: true })
	.filter((item) => item.isFile() && /\.(jsonl|messages\.json)$/.test(item.name))
	.map((item) => join(item.parentPath, item.name))
	.sort();
const scratch = mkdtempSync(join(tmpdir(), 'reprise-seeds-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const sum = (counts: { readonly [type: string]: number }): number =>
	Object.values(counts).reduce((total, count) => total + count, 0);

describe('samples of the documents', () => {
	it('are there for all four formats', () => {
		expect(new Set(samples.map((path) => relative(root, path).split('/')[0])).size).toBe(4);
		expect(samples.length).toBeGreaterThan(60);
	});

	it.each(samples.map((path) => [relative(root, path), path]))(
		'%s is typed, counted, valid and kept',
		async (name, path) => {
			const session = await openSession(path);
			expect(session.entries.filter((entry) => entry.kind === 'opaque')).toEqual([]);
			const inspection = inspectSession(session);
			const text = readFileSync(path, 'utf8');
			if (path.endsWith('.jsonl'))
				expect(sum(inspection.records)).toBe(text.split('\n').filter((line) => line !== '').length);
			else expect(sum(inspection.records)).toBe((JSON.parse(text) as { messages: unknown[] }).messages.length + 1);
			expect(inspection.issues.filter((issue) => issue.severity === 'error')).toEqual([]);
			expect(checkFile(path, 'published')).toMatchObject({ format: session.format, ok: true });
			const copy = join(scratch, name.replaceAll('/', '-'));
			await copySession(path, copy, session.format);
			expect(readFileSync(copy).equals(readFileSync(path))).toBe(true);
		},
	);
});
