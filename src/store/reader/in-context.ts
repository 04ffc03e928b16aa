/** Which entries of a session its client would still send to a model. */
import { statSync } from 'node:fs';
import type { EntryId } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { contextOf } from './context.ts';
import { identify } from './identify.ts';

/** Larger sessions are left out in formats where every message has to be read to know which are sent. */
const mostRead = 1 << 23;

/** Undefined where the client would not resume the session, or where the session is gone or too large. */
export function entriesInContext(path: string): ReadonlySet<EntryId> | undefined {
	try {
		if (isTooLarge(path)) return undefined;
		const { from, refused } = contextOf(path);
		return refused === undefined ? new Set(from.flat()) : undefined;
	} catch (error) {
		if (error instanceof InputError || (error instanceof Error && 'code' in error)) return undefined;
		throw error;
	}
}

function isTooLarge(path: string): boolean {
	if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= mostRead) return false;
	const found = identify(path);
	if (!found.ok) return true;
	found.source[Symbol.dispose]();
	return found.codec.context.fromTail !== true;
}
