/** What shell commands did that were killed together with their client: found by whoever looks next, by what the project was before them. */
import { existsSync } from 'node:fs';
import type { Machine } from '../../codecs/index.ts';
import { compact } from '../../model/index.ts';
import {
	copiesOf,
	type EndStep,
	type HistoryStep,
	type KeptLook,
	looksOf,
} from '../../store/checkpoints/file-history.ts';
import { readLook } from '../../store/checkpoints/kept-looks.ts';
import { cutOffIn } from '../../store/checkpoints/plan-files.ts';
import { seenFolder } from '../../store/checkpoints/prune.ts';
import { readLeftOut } from './left-out.ts';
import { type Happened, ProjectFiles } from './project-files.ts';

const unsure = 'it was cut off: what has changed since then may be its work, or somebody else’s';
const lost = 'it was cut off: what it changed is not known';

/** Ends for the commands among the steps that have none. Nobody can tell what changed after the kill, so they claim less than others do. */
export async function lateEnds(machine: Machine, steps: readonly HistoryStep[]): Promise<readonly EndStep[]> {
	const ends: EndStep[] = [];
	for (const step of [...cutOffIn(steps)].reverse()) {
		if (step.is !== 'begin' || !step.looks) continue;
		const { call, within, prompt, looks, missed = [] } = step;
		const found = await Promise.all(looks.map(async (look) => await changesSince(machine, look)));
		const open = looks.length === 0 || found.some((changes) => !changes) ? lost : unsure;
		const changes = found.flatMap((some) => some?.changes ?? []);
		const more = found.flatMap((some) => some?.missed ?? []);
		const all = [...missed, ...more, open];
		ends.push({ is: 'end', ...compact({ call, within, prompt }), changes, missed: all, late: true });
	}
	return ends;
}

async function changesSince(machine: Machine, { folder, sum, ignored = [] }: KeptLook): Promise<Happened | undefined> {
	const files = readLook(sum, looksOf(machine));
	// A folder that is gone was moved, more likely than emptied by the command.
	if (!files || !existsSync(folder)) return undefined;
	const project = new ProjectFiles(folder, copiesOf(machine), seenFolder(machine), { ignored });
	const now = await project.look();
	return now.closed ? undefined : await project.changes(readLeftOut(files), now);
}
