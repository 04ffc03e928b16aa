/** Which entries of a session its client would still send to a model, and above which size of a session only its end is read to tell. */
import { statSync } from 'node:fs';
import { codeOf } from '../../log/errors.ts';
import type { EntryId } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { contextFromTail, contextOf } from './context.ts';

/** Of a larger session only the end is read: a search is not to wait until all messages of its hits' sessions are. */
const mostRead = 1 << 23;

/** Undefined where the client would not resume the session, or where the session is gone or the end of a large one does not tell. */
export function entriesInContext(path: string): ReadonlySet<EntryId> | undefined {
	try {
		const isLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > mostRead;
		const context = isLarge ? contextFromTail(path) : contextOf(path);
		return context && context.refused === undefined ? new Set(context.from.flat()) : undefined;
	} catch (error) {
		if (error instanceof InputError || codeOf(error) !== undefined) return undefined;
		throw error;
	}
}
