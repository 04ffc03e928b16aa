/** Tells which files a rewind was the last to change: whoever asked for the rewind need not be told that they have changed. */
import type { Machine } from '../../codecs/index.ts';
import type { NamedSession } from '../../model/index.ts';
import { realPath } from '../find/project.ts';
import { FileHistory } from './file-history.ts';
import { type FileForm, formAt, sameForm } from './forms.ts';

/** True for a file that a rewind of the session was the last to change. */
export function restoredIn(machine: Machine, session: NamedSession): (path: string) => boolean {
	const left = new Map<string, FileForm | undefined>();
	for (const step of new FileHistory(machine, session).steps()) {
		if (step.is !== 'end' && step.is !== 'rewind') continue;
		for (const { path, after } of step.changes) left.set(path, step.is === 'rewind' ? after : undefined);
	}
	return (path) => {
		const form = left.get(path) ?? left.get(realPath(path));
		return form !== undefined && sameForm(form, formAt(path));
	};
}
