/** What commands about many sessions share: which project the user is in, also where its folder is gone, and what is said of a time that --since cannot read. */
import { InvalidArgumentError } from 'commander';
import { periodOf } from '../catalog/cost/calendar.ts';
import { SessionsHere } from '../catalog/sessions-here.ts';
import { currentFolder } from '../store/find/folders.ts';
import { type Project, projectAt } from '../store/find/project.ts';
import { complain } from '../terminal/prose.ts';

/** One for all that a command asks: folders that may not be read are told of once. */
export const here = new SessionsHere(complain);

/** The project that the user is in. */
export function currentProject(): Project {
	const { path, gone } = currentFolder();
	if (gone && !told)
		complain(`the folder ${path} is gone; these are the sessions it had. --all shows those of every project`);
	told ||= gone;
	return projectAt(path);
}

let told = false;

export interface Period {
	readonly from: number;
	readonly to: number;
}

/** For options that name a day, a month or a time ago. commander turns the error into a usage message. */
export function parsePeriod(text: string): Period {
	const period = periodOf(text);
	if (period === undefined) throw new InvalidArgumentError('Use a day (2026-03-09), a month (2026-03), or 7d, 2w, 3m.');
	return period;
}
