/** Which folders `reprise replay` refuses (a home, the temporary folder, what holds them), what of a project it copies, and the question before recorded calls are made. */
import { cpSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { folderAt } from '../../client/folder-at.ts';
import { countOf } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { isInside } from '../../store/find/project.ts';
import { complain, inColumn, tellProse } from '../../terminal/prose.ts';
import type { PlannedCall } from '../../tools/replayed.ts';
import { askYesNo, canAsk } from '../ask/ask.ts';

/** True when it may begin. Where nothing is run or written there is nothing to agree to. */
export async function agreed(planned: readonly PlannedCall[], project: string, yes: boolean): Promise<boolean> {
	const done = planned.filter(({ effect, refused }) => effect !== 'read' && refused === undefined);
	if (done.length === 0) return true;
	const commands = done.filter(({ effect }) => effect === 'exec').length;
	if (!yes && !canAsk()) {
		tellProse(planText(planned, project));
		const many = `${countOf(commands, 'command')}, ${countOf(done.length - commands, 'change')} of files`;
		throw new InputError('usage', `replay runs what was recorded (${many}) and asks first: add --yes to agree`);
	}
	if (!yes) tellProse(planText(planned, project));
	if (commands > 0) complain(notConfined);
	return yes || (await askYesNo('Go on?'));
}

const notConfined =
	'recorded commands start in the copy and take it for their home, but they are not confined to it: they can do whatever you can.';

/** Every command as a whole and every file; what only reads the copy is counted. */
function planText(planned: readonly PlannedCall[], project: string): string {
	const lines = [`In a copy of ${project} this will be done again, as it was recorded:`];
	let reads = 0;
	const add = (name: string, text: string) => lines.push(inColumn(name, text, process.stderr.columns || Infinity));
	for (const { effect, what, refused, tool } of planned) {
		if (refused !== undefined) add('  not done  ', `${tool}: ${refused}`);
		else if (effect === 'read') reads += 1;
		else for (const one of what) add(effect === 'exec' ? '  run    ' : '  write  ', one);
	}
	if (reads > 0) lines.push(`  and ${countOf(reads, 'file')} of the copy read`);
	return lines.join('\n');
}

/** The folder to copy, by its real path: of a link only the link would be copied. Undefined where it is not here. */
export function projectFor(recorded: string | undefined, given: string | undefined): string | undefined {
	if (given !== undefined) return refusingWide(folderAt(given, '--project'));
	const isHere = recorded !== undefined && isAbsolute(recorded);
	return isHere && statSync(recorded, { throwIfNoEntry: false })?.isDirectory() ? refusingWide(recorded) : undefined;
}

/** What was passed over, a line each. */
export function copyProject(from: string | undefined, scratch: string): readonly string[] {
	const passed: string[] = [];
	// Pipes and devices would block, and a name that is not UTF-8 cannot be asked for.
	const isCopied = (path: string): boolean => {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (!stat) passed.push(`${path} is not copied: its name is not valid UTF-8, or it went away meanwhile`);
		return stat !== undefined && (stat.isFile() || stat.isDirectory() || stat.isSymbolicLink());
	};
	if (from === undefined) mkdirSync(scratch);
	else cpSync(from, scratch, { recursive: true, verbatimSymlinks: true, filter: isCopied });
	return passed;
}

/**
 * What a session calls its folder may be all that its user has: a home, the folder for temporary files, or what holds one of
 * them, is nobody's project.
 */
function refusingWide(folder: string): string {
	const real = realpathSync(folder);
	const places = [homedir(), tmpdir(), '/tmp', '/var/tmp'].filter((place) => existsSync(place));
	if (!places.some((place) => isInside(real, place))) return real;
	const advice = 'Name the project as it was before the session with --project FOLDER';
	throw new InputError('wide-folder', `${folder} is not a project’s folder: nothing was copied or run. ${advice}`);
}
