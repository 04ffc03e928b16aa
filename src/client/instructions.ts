/** Which instruction files count for a session here: those of the settings sources that the flags name, without what a rule keeps from being read. */
import { homedir } from 'node:os';
import { hiddenFiles } from '../agent/permissions/index.ts';
import { fileView } from '../host/file-view.ts';
import { type GivenInstructions, instructionsFor } from '../host/project/instructions.ts';
import { compact } from '../model/index.ts';
import { isTold, type PermissionsHere, type RuleFlags } from './permissions.ts';
import { claudeHome } from './session.ts';

export async function instructionsHere(
	flags: RuleFlags,
	cwd: string,
	{ rules, dirs }: Pick<PermissionsHere, 'rules' | 'dirs'>,
): Promise<GivenInstructions> {
	const hides = await hiddenFiles({ mode: 'default', rules, cwd, dirs, home: homedir(), files: fileView });
	return await instructionsFor(cwd, {
		...(isTold('user', flags) ? { user: claudeHome() } : {}),
		project: isTold('project', flags),
		local: isTold('local', flags),
		...compact({ hides }),
	});
}
