/** Decides when file histories and copies for rewinds are deleted: after how many days, above which size of all together, and how often that is checked. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import type { Copies } from './copies.ts';
import { copiesOf, type HistoryStep, historiesFolder, looksOf, readSteps } from './file-history.ts';
import type { FileForm } from './forms.ts';
import { partsOfLook, readLook } from './kept-looks.ts';
import { cutOffIn } from './plan-files.ts';

const dayMs = 24 * 60 * 60 * 1000;

export interface PruneLimits {
	/** How long a session's file history stays after its last step. */
	readonly days: number;
	/** The most bytes that all copies may take, but for those of the last day; the newest histories that fit stay. */
	readonly bytes: number;
}

const usual: PruneLimits = { days: 30, bytes: 4 * 1024 * 1024 * 1024 };

/** Where the forms of files are remembered by their stat. */
export function seenFolder(machine: Machine): string {
	return join(dataFolder(machine), 'checkpoints', 'seen');
}

/** At most once a day, unless `now` is given with limits of its own. */
export function pruneCopies(machine: Machine, limits: PruneLimits = usual, now = Date.now()): void {
	const stamp = join(dataFolder(machine), 'checkpoints', 'pruned');
	const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (limits === usual && now - last < dayMs) return;
	mkdirSync(join(stamp, '..'), { recursive: true, mode: 0o700 });
	writeFileSync(stamp, '', { mode: 0o600 });
	const copies = copiesOf(machine);
	const looks = looksOf(machine);
	const sizes = new Map<string, { readonly size: number; readonly mtimeMs: number }>();
	for (const { sha256, ...rest } of copies.all()) sizes.set(sha256, rest);
	const needed = new Set<string>();
	let bytes = 0;
	// The newest first. One that does not fit takes no room from smaller ones: they would not make room for it.
	for (const { folder, mtimeMs } of histories(machine)) {
		const sums = sumsIn(readSteps(folder), looks).filter((sum) => !needed.has(sum));
		const own = sums.reduce((total, sum) => total + (sizes.get(sum)?.size ?? 0), 0);
		const fits = bytes + own <= limits.bytes;
		const age = now - mtimeMs;
		// A session that was written to within the last day may still go on: it has to find its history.
		if (age > limits.days * dayMs || (!fits && age > dayMs)) rmSync(folder, { recursive: true, force: true });
		else {
			for (const sum of sums) needed.add(sum);
			if (fits) bytes += own;
		}
	}
	// A copy of the last day may belong to a step that is not written down yet, or to what a project looks like now.
	for (const [sha256, { mtimeMs }] of sizes) if (!needed.has(sha256) && now - mtimeMs > dayMs) copies.remove(sha256);
	for (const { sha256, mtimeMs } of looks.all()) if (!needed.has(sha256) && now - mtimeMs > dayMs) looks.remove(sha256);
}

function histories(machine: Machine): readonly { readonly folder: string; readonly mtimeMs: number }[] {
	const parent = historiesFolder(machine);
	if (!statSync(parent, { throwIfNoEntry: false })) return [];
	return readdirSync(parent)
		.map((name) => join(parent, name))
		.map((folder) => {
			const steps = statSync(join(folder, 'steps'), { throwIfNoEntry: false }) ?? statSync(folder);
			return { folder, mtimeMs: steps.mtimeMs };
		})
		.sort((one, other) => other.mtimeMs - one.mtimeMs);
}

function sumsIn(steps: readonly HistoryStep[], looks: Copies): readonly string[] {
	// Where a command has ended, its changes are known, and nobody asks any more what was there before it.
	const open = [...cutOffIn(steps)].flatMap((step) =>
		step.is === 'begin' ? (step.looks ?? []).map(({ sum }) => sum) : [],
	);
	const forms: FileForm[] = steps.flatMap((step) => {
		if (step.is === 'begin') return step.files.map(({ before }) => before);
		return 'changes' in step ? step.changes.flatMap(({ before, after }) => [before, after]) : [];
	});
	forms.push(...open.flatMap((sum) => [...(readLook(sum, looks)?.values() ?? [])].flatMap(({ form }) => form ?? [])));
	return [
		...new Set([
			...open.flatMap((sum) => partsOfLook(sum, looks)),
			...forms.flatMap((form) => (form.is === 'file' ? [form.sha256] : [])),
		]),
	];
}
