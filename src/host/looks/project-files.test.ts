/** A look at a project has limits of files, bytes and time, and says what is beyond them. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { Copies } from '../../store/checkpoints/copies.ts';
import { type LookLimits, ProjectFiles } from './project-files.ts';

/** Three files of 1,000 bytes, in a folder without git. */
function project(limits: Partial<LookLimits>) {
	const scratch = scratchMachine();
	onTestFinished(() => scratch[Symbol.dispose]());
	const folder = join(scratch.root, 'looked-at');
	mkdirSync(folder);
	for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), name.repeat(1000));
	const copies = new Copies(join(scratch.root, 'copies'));
	const all = { files: 100, bytes: 1e9, ms: 60_000, ...limits };
	return { folder, copies, files: new ProjectFiles(folder, copies, join(scratch.root, 'seen'), { limits: all }) };
}

describe('a look has limits, and says what is beyond them', () => {
	it('a folder with too many files is not looked at', async () => {
		const { folder, copies, files } = project({ files: 2 });
		const look = await files.look();
		expect(look).toMatchObject({ closed: true, files: new Map() });
		expect(look.missed).toEqual([`${folder} has more than 2 files: what commands change there is not kept`]);
		expect([...copies.all()]).toEqual([]);
	});

	it.each([
		['bytes', { bytes: 1500 }, 1],
		['time', { ms: -1 }, 0],
	])(
		'what is too much at once is not copied (%s), and its change is known as one that cannot be undone',
		async (_, limits, kept) => {
			const { folder, copies, files } = project(limits);
			const before = await files.look();
			expect(before.missed).toEqual([expect.stringMatching(/^\w and what came after it was not copied/)]);
			expect([...copies.all()]).toHaveLength(kept);
			appendFileSync(join(folder, 'c'), 'more');
			appendFileSync(join(folder, 'b'), 'more');
			const { changes } = await files.changes(before, await files.look());
			const forms = changes.map((change) => change.before.is);
			expect(forms).toContain('unknown');
			expect(changes.map(({ path }) => path)).toEqual(expect.arrayContaining([join(folder, 'b'), join(folder, 'c')]));
		},
	);
});
