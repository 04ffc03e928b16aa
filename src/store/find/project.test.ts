/** Which folders belong to one project. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { folderTree, isInside, projectAt } from './project.ts';

const scratch = scratchMachine();
afterAll(() => scratch[Symbol.dispose]());

const repo = scratch.folder('repo');
mkdirSync(join(repo, '.git'));
scratch.folder('repo/src/deep');

/** A worktree as `git worktree add` makes it. */
function worktree(name: string, admin: string): string {
	const tree = scratch.folder(name);
	const own = scratch.folder(`repo/.git/worktrees/${admin}`);
	writeFileSync(join(own, 'commondir'), '../..\n');
	writeFileSync(join(own, 'gitdir'), `${join(tree, '.git')}\n`);
	writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
	return tree;
}

describe('a project', () => {
	it('is this folder, those above it up to the root of the repository, and those below it', () => {
		const project = projectAt(join(repo, 'src/deep'));
		expect(project.folder).toBe(repo);
		for (const folder of [repo, join(repo, 'src'), join(repo, 'src/deep')]) expect(project.has(folder)).toBe(true);
		expect(project.has(join(repo, '..'))).toBe(false);
		expect(projectAt(repo).has(join(repo, 'src/deep'))).toBe(true);
		expect(projectAt(repo).has(join(repo, 'gone'))).toBe(true);
	});

	it('is not what lies beside this folder', () => {
		expect(projectAt(join(repo, 'src')).has(join(repo, 'docs'))).toBe(false);
		expect(projectAt(join(repo, 'src/deep')).has(join(repo, 'src/other'))).toBe(false);
	});

	it('includes its worktrees, and each of them knows the others', () => {
		const [one, two] = [worktree('tree-one', 'one'), worktree('tree-two', 'two')];
		expect(projectAt(repo).has(one)).toBe(true);
		expect(projectAt(join(one, 'deep')).has(repo)).toBe(true);
		expect(projectAt(two).has(one)).toBe(true);
		expect(projectAt(join(repo, 'src')).has(join(one, 'src'))).toBe(true);
		expect(projectAt(join(repo, 'src')).has(join(one, 'docs'))).toBe(false);
		expect(projectAt(two).folder).toBe(two);
	});

	it('a folder that only claims to be a worktree is none', () => {
		const liar = scratch.folder('liar');
		writeFileSync(join(liar, '.git'), `gitdir: ${join(repo, '.git/worktrees/one')}\n`);
		expect(projectAt(liar).has(repo)).toBe(false);
		expect(projectAt(repo).has(liar)).toBe(false);
		expect(projectAt(join(liar, 'src')).has(liar)).toBe(true);
	});

	it('a repository inside another is a project of its own, and so is a folder without any', () => {
		const inner = scratch.folder('repo/vendor/lib');
		mkdirSync(join(inner, '.git'));
		expect(projectAt(repo).has(inner)).toBe(false);
		expect(projectAt(inner).has(repo)).toBe(false);
		const plain = scratch.folder('plain');
		expect(projectAt(plain).has(plain)).toBe(true);
		expect(projectAt(plain).has(scratch.folder('plain/below'))).toBe(false);
		expect(projectAt(scratch.root).has(repo)).toBe(false);
	});

	it('what names no folder, or none that can be found, is of no project', () => {
		expect(projectAt(repo).has(undefined)).toBe(false);
		expect(projectAt(repo).has('src')).toBe(false);
	});
});

describe('folders', () => {
	it('a link to a folder is that folder, and a name that only begins alike is not inside', () => {
		const link = join(scratch.root, 'link');
		symlinkSync(repo, link);
		expect(isInside(repo, join(link, 'src'))).toBe(true);
		expect(isInside(repo, `${repo}-two`)).toBe(false);
		expect(isInside(repo, join(repo, '..'))).toBe(false);
		expect(isInside('/gone', '/gone/..hidden')).toBe(true);
		expect(projectAt(link).folder).toBe(repo);
		expect(folderTree(scratch.root).has(repo)).toBe(true);
	});
});
