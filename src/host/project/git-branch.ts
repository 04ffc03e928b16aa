/** The branch that a project's folder has checked out, read without running git. */
import { join } from 'node:path';
import { repositoryOf } from '../../store/find/project.ts';
import { readText } from './read-text.ts';

/** What git itself writes into its small files is never longer. */
const longestOfGit = 4096;

/** Undefined outside a repository, and where no branch is checked out. */
export function gitBranchOf(cwd: string): string | undefined {
	const { git } = repositoryOf(cwd);
	const head = git === undefined ? undefined : readText(join(git, 'HEAD'), longestOfGit);
	return head === undefined ? undefined : /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
}
