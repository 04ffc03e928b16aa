/** The wording of what a rewind would do: how many files the question names, what is said of conflicts and of what cannot be brought back, and the JSON of it. */
import { relative } from 'node:path';
import { notCoveredLines } from '../../client/not-covered.ts';
import type { RewindPlan } from '../../client/plan-rewind.ts';
import { rewindDiff } from '../../client/rewind-diff.ts';
import { countOf } from '../../model/index.ts';
import type { PlannedFile } from '../../store/checkpoints/plan-files.ts';
import { oneLine } from '../../terminal/print.ts';

const mostAsked = 20;

/** One JSON document. */
export function planJson(plan: RewindPlan): object {
	const { to, in: other, prompt, at, undoes, files, missed, unknownCommands, ignored } = plan;
	return {
		...{ dryRun: true, to, in: other, prompt, at, undoes },
		files: files.map((file) => ({
			path: file.path,
			change: changeOf(file),
			...(file.conflict === undefined ? {} : { conflict: file.conflict }),
			diff: diffOf(file, plan),
		})),
		...{ missed, unknownCommands, ignored },
	};
}

export function planText(plan: RewindPlan, { diff }: { readonly diff: boolean }): string {
	const { files, at, undoes } = plan;
	const where = undoes === undefined ? (at ?? '') : `before the rewind ${undoes}`;
	const lines = [`${files.length === 0 ? 'no file' : countOf(files.length, 'file')} would change: back to ${where}`];
	// A question that has scrolled away is answered blindly; what somebody has to decide about is always named.
	const named = diff ? files : files.filter(({ conflict }, index) => conflict !== undefined || index < mostAsked);
	for (const file of named) {
		lines.push(`  ${changeOf(file)}  ${oneLine(nameOf(file.path, plan))}`);
		if (file.conflict !== undefined) lines.push(`    ! ${file.conflict}: it is replaced only if you say so`);
	}
	if (named.length < files.length) lines.push(`  … and ${files.length - named.length} more, which --dry-run lists`);
	const open = notCoveredLines(plan, diff ? Number.POSITIVE_INFINITY : mostAsked);
	if (open.length > 0) lines.push('', ...open);
	const conversation = conversationText(plan);
	if (conversation !== undefined) lines.push('', conversation);
	if (diff) for (const file of files) lines.push(...shown(file, plan));
	return `${lines.join('\n')}\n`;
}

function conversationText({ to, in: other, prompt }: RewindPlan): string | undefined {
	if (to === undefined) return undefined;
	const where = to === null ? 'from its beginning' : `from ${prompt === undefined ? '' : 'before '}${to}`;
	return `the conversation would go on ${where}${other === undefined ? '' : ` of ${other}, in a new session`}`;
}

function nameOf(path: string, { folder }: RewindPlan): string {
	return path.startsWith(`${folder}/`) ? relative(folder, path) : path;
}

function shown(file: PlannedFile, plan: RewindPlan): readonly string[] {
	const diff = diffOf(file, plan);
	return diff === '' ? [] : ['', diff.trimEnd()];
}

/** In one word, or a few where the bytes stay. */
function changeOf({ now, target }: PlannedFile): string {
	if (target.is === 'absent') return 'removed';
	if (now.is === 'absent') return 'brought back';
	if (now.is === 'file' && target.is === 'file' && now.sha256 === target.sha256)
		return `mode ${octal(now.mode)} → ${octal(target.mode)}`;
	return 'changed back';
}

function octal(mode: number): string {
	return mode.toString(8).padStart(3, '0');
}

function diffOf(file: PlannedFile, plan: RewindPlan): string {
	return rewindDiff(file, plan, nameOf(file.path, plan));
}
