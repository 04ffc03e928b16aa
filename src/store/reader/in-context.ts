/** Which entries of a session its client would still send to a model. */
import { statSync } from 'node:fs';
import type { EntryId } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { contextOf } from './context.ts';
import { identify } from './identify.ts';

/** Where every message has to be read to know which ones are sent, larger sessions are not asked. */
const mostRead = 1 << 23;

/** Undefined where it cannot be told: the client would not resume it, it is gone, or it is too large to be asked. */
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
