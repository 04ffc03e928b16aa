/** Folders of a project that somebody else has prepared: whatever their links lead to, looking into them ends. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Scratch, scratchMachine } from '../../../test/support/scratch.ts';
import { projectOffers } from '../settings/project-offers.ts';
import { recallFor } from './recall.ts';
import { commandFiles } from './slash-commands.ts';

const rule = '---\npaths: "*.ts"\n---\nBe brief.\n';

function project(scratch: Scratch, folder: string, name = 'project'): string {
	const cwd = scratch.folder(name);
	mkdirSync(join(cwd, '.claude', folder, 'web'), { recursive: true });
	return cwd;
}

it('two links that lead back to their own folder hide no command and are not followed', () => {
	using scratch = scratchMachine();
	const cwd = project(scratch, 'commands');
	const own = join(cwd, '.claude', 'commands');
	writeFileSync(join(own, 'web', 'lint.md'), 'Lint it.');
	for (const name of ['one', 'two']) symlinkSync('.', join(own, name));
	expect(commandFiles(cwd, join(cwd, 'nobody'), true).files.map(({ name }) => name)).toEqual(['web:lint']);
	expect(projectOffers(cwd)).toMatchObject([{ what: 'commands', items: ['/web:lint'] }]);
});

it('a folder that is a link to itself offers nothing', () => {
	using scratch = scratchMachine();
	const cwd = project(scratch, 'none');
	for (const name of ['commands', 'skills', 'agents']) symlinkSync(name, join(cwd, '.claude', name));
	expect(projectOffers(cwd)).toEqual([]);
	expect(commandFiles(cwd, join(cwd, 'nobody'), true)).toEqual({ files: [], notes: [] });
});

it('rules are found beside links that lead back, or nowhere', async () => {
	using scratch = scratchMachine();
	const cwd = project(scratch, 'rules');
	const own = join(cwd, '.claude', 'rules');
	writeFileSync(join(own, 'web', 'style.md'), rule);
	for (const name of ['one', 'two']) symlinkSync('.', join(own, name));
	symlinkSync('/nowhere/at/all.md', join(own, 'gone.md'));
	const found = await recallFor(join(cwd, 'a.ts'), cwd, new Set());
	expect(found).toEqual([{ path: join(own, 'web', 'style.md'), content: rule }]);
});

it('rules that are no folder, or a link out of the project, are none', async () => {
	using scratch = scratchMachine();
	const cwd = project(scratch, 'none');
	writeFileSync(join(cwd, '.claude', 'rules'), rule);
	expect(await recallFor(join(cwd, 'a.ts'), cwd, new Set())).toEqual([]);
	const elsewhere = project(scratch, 'rules', 'elsewhere');
	writeFileSync(join(elsewhere, '.claude', 'rules', 'style.md'), rule);
	const other = project(scratch, 'none', 'other');
	symlinkSync(join(elsewhere, '.claude', 'rules'), join(other, '.claude', 'rules'));
	expect(await recallFor(join(other, 'a.ts'), other, new Set())).toEqual([]);
});
