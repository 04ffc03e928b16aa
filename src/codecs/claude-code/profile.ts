/** Tells whether a Claude Code line is in the client's or the document's profile: by `isMeta` on user lines, and by newer line types. */
import type { JsonObject, Profile } from '../../model/index.ts';
import { dialectOf } from './lines.ts';

/**
 * The document has `isMeta` on every user line, true or false; the client never writes it where it is false. Line types
 * that only newer clients have tell as well. Everything else is the same in both.
 */
export function tellProfile({ type, isMeta }: JsonObject): Profile | undefined {
	if (typeof type === 'string' && dialectOf(type) === 'extended') return 'client';
	if (type !== 'user' || isMeta === true) return undefined;
	return isMeta === false ? 'published' : 'client';
}
