/** What a rewind would make of a file, compared with what is there: as a diff, and in lines that come and go; up to which size. */
import { readIfThere } from '../log/regular-file.ts';
import type { FileForm } from '../store/checkpoints/forms.ts';
import type { PlannedFile } from '../store/checkpoints/plan-files.ts';
import { unifiedDiff } from '../store/repair/diff.ts';
import { bytesOfForm, type RewindPlan } from './plan-rewind.ts';

/** Larger files are told by their sizes. */
const largestShown = 1 << 20;

/** Under that name; for what is no text, in words what it was and becomes. */
export function rewindDiff(file: PlannedFile, plan: RewindPlan, name: string): string {
	const [before, after] = textsOf(file, plan);
	if (typeof before === 'string' || typeof after === 'string')
		return `${name}: ${typeof before === 'string' ? before : 'text'} → ${typeof after === 'string' ? after : 'text'}`;
	return unifiedDiff(name, before, after, ['now', 'restored']);
}

/** Undefined for what is no text, or too large to be compared. */
export function rewindLines(
	file: PlannedFile,
	plan: RewindPlan,
): { readonly added: number; readonly removed: number } | undefined {
	const [before, after] = textsOf(file, plan);
	if (typeof before === 'string' || typeof after === 'string') return undefined;
	const diff = unifiedDiff('', before, after);
	if (diff === '') return undefined;
	// Signs count behind the first hunk's head only: the names of both files begin with them too.
	const lines = diff.slice(diff.indexOf('\n@@') + 1).split('\n');
	const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
	return { added: count('+'), removed: count('-') };
}

function textsOf({ path, now, target }: PlannedFile, plan: RewindPlan) {
	return [textOf(now, () => readIfThere(path)), textOf(target, (sha256) => bytesOfForm(plan, sha256))] as const;
}

/** The bytes of a text, or in words what else it is. */
function textOf(form: FileForm, read: (sha256: string) => Uint8Array | undefined): Uint8Array | string {
	if (form.is === 'absent') return new Uint8Array();
	if (form.is === 'link') return `a link to ${form.target}`;
	if (form.is === 'unknown') return form.why;
	if (form.size > largestShown) return `${form.size} bytes`;
	const bytes = read(form.sha256);
	return !bytes || bytes.includes(0) ? `${form.size} bytes` : bytes;
}
