/** Tags and archive flags are kept until their user removes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notPrivate } from '../../../test/support/scratch.ts';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { annotate, readAnnotations } from './annotations.ts';

const scratch = scratchPerTest();

const session = { format: 'clido', id: 'one' } as const;
const other = { format: 'cline', id: 'one' } as const;

test('marks belong to one session of one format', async () => {
	await annotate(scratch.machine, [session], (marks) => ({ ...marks, tags: ['a'], archived: 'now' }));
	const annotationsOf = readAnnotations(scratch.machine);
	expect(annotationsOf(session)).toEqual({ tags: ['a'], archived: 'now' });
	expect(annotationsOf(other)).toEqual({ tags: [] });
});

test('a session without marks leaves nothing behind, and the files are private', async () => {
	await annotate(scratch.machine, [session, other], () => ({ tags: ['x'] }));
	await annotate(scratch.machine, [session], () => ({ tags: [] }));
	const { sessions } = JSON.parse(readFileSync(join(scratch.own, 'marks.json'), 'utf8')) as { sessions: object };
	expect(Object.keys(sessions)).toEqual(['cline:one']);
	expect(notPrivate(scratch.own)).toEqual([]);
});

test('what a later version noted stays', async () => {
	await annotate(scratch.machine, [session], () => ({ tags: ['x'] }));
	const path = join(scratch.own, 'marks.json');
	const file = JSON.parse(readFileSync(path, 'utf8')) as { sessions: { [key: string]: object } };
	writeFileSync(
		path,
		JSON.stringify({ ...file, more: 1, sessions: { 'clido:one': { ...file.sessions['clido:one'], stars: 5 } } }),
	);
	await annotate(scratch.machine, [session], () => ({ tags: [] }));
	expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
		more: 1,
		version: 1,
		sessions: { 'clido:one': { stars: 5 } },
	});
});

test('a damaged file is never taken for an empty one', async () => {
	await annotate(scratch.machine, [session], () => ({ tags: ['x'] }));
	const path = join(scratch.own, 'marks.json');
	writeFileSync(path, '{"sessions": {"clido:o');
	expect(() => readAnnotations(scratch.machine)).toThrow('is damaged');
	await expect(annotate(scratch.machine, [other], () => ({ tags: ['y'] }))).rejects.toThrow('is damaged');
	expect(readFileSync(path, 'utf8')).toBe('{"sessions": {"clido:o');
});

test('changes made at the same time are all there', async () => {
	const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
	await Promise.all(ids.map((id) => annotate(scratch.machine, [{ format: 'clido', id }], () => ({ tags: [id] }))));
	const annotationsOf = readAnnotations(scratch.machine);
	for (const id of ids) expect(annotationsOf({ format: 'clido', id }).tags).toEqual([id]);
});
