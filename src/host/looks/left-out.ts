/** Files that were in the project before a command although the look before it does not have them: ignored by git, or brought from elsewhere. */
import { absent, type FileForm, formHere } from '../../store/checkpoints/forms.ts';
import type { LookedFile } from '../../store/checkpoints/kept-looks.ts';
import type { Look, Looked } from './project-files.ts';

/** The look before a command: of one that was written down, less is known. */
export type LookBefore = Pick<Look, 'leftOut'> & {
	readonly files: ReadonlyMap<string, LookedFile>;
	readonly beganMs?: number;
};

/** How a name that a look leaves out is written down with it. */
const unlooked = { is: 'unknown', why: 'left out' } as const;

/** A look as it is written down, and back. */
export function withLeftOut({ files, leftOut }: Look): ReadonlyMap<string, LookedFile> {
	if (leftOut.size === 0) return files;
	const names = [...leftOut].map((name) => [name, { stat: { mode: 0, size: 0 }, form: unlooked }] as const);
	// A file that is ignored and asked for is among both: what is known of it counts.
	return new Map<string, LookedFile>([...names, ...files]);
}

export function readLeftOut(written: ReadonlyMap<string, LookedFile>): LookBefore {
	const isLeftOut = ({ form }: LookedFile): boolean => form?.is === 'unknown' && form.why === unlooked.why;
	return {
		files: new Map([...written].filter(([, file]) => !isLeftOut(file))),
		leftOut: new Set([...written].flatMap(([name, file]) => (isLeftOut(file) ? [name] : []))),
	};
}

/** As long as the clock that files are born by may be behind ours. */
const tickMs = 40;

/**
 * Tells of a file that only the look after a command has whether it was there before: its name, or that of its folder. To take it for
 * one that the command made would have a rewind remove it.
 */
export function thereBefore({
	files,
	leftOut,
	beganMs = 0,
}: LookBefore): (path: string, is: Looked) => string | undefined {
	let known: ReadonlySet<number> | undefined;
	return (path, { stat }) => {
		if (leftOut.has(path)) return path;
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const folder = path.slice(0, end + 1);
			if (leftOut.has(folder)) return folder;
		}
		// Older than the command: it had another name, and if that was a file of the look, it goes back there.
		if (stat.birthtimeMs === 0 || stat.birthtimeMs > beganMs - tickMs) return undefined;
		known ??= new Set([...files.values()].map((file) => file.stat.ino ?? 0));
		return known.has(stat.ino) ? undefined : path;
	};
}

const mostNamed = 10;

/** In words for the user; nothing where there is none. */
export function sayThereBefore(names: ReadonlySet<string>): readonly string[] {
	if (names.size === 0) return [];
	const more = names.size > mostNamed ? ` and ${names.size - mostNamed} more` : '';
	const list = [...names].slice(0, mostNamed).join(', ');
	return [`${list}${more} existed before it and was not looked at (ignored by git, or elsewhere): it stays as it is`];
}

/** A file that the look after a command leaves out, as when it is ignored from then on, is not gone for that. */
export function formLeftOut(place: string): FileForm {
	const form = formHere(place);
	return form.is === 'unknown' ? absent : form;
}
