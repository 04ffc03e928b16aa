/** Opens what a handle needs to know of a session, as cheaply as its format allows. */
import { type Codec, profileOf, type SideRole } from '../codecs/index.ts';
import { statOf } from '../log/file-medium.ts';
import type { LogStat } from '../log/index.ts';
import type { Profile } from '../model/index.ts';
import { InputError } from './errors.ts';
import { diskFolders } from './folders.ts';
import type { Held } from './held.ts';
import { holdDocument } from './held-document.ts';
import { holdLines } from './held-lines.ts';
import { identify } from './identify.ts';
import { stemOf, withSideHeaders } from './open.ts';

export interface Holding {
	readonly held: Held;
	/** The file as it was when it was read; absent for a session inside a database, which only its client may write. */
	readonly stat?: LogStat;
	/** The profile that the session was begun in. */
	readonly profile: Profile;
}

export function hold(path: string): Holding {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	const { codec, dialect } = found;
	const id = codec.places.idOf?.(path) ?? stemOf(path);
	const held =
		codec.capabilities.container === 'lines'
			? holdLines(codec, path, source, dialect, id)
			: holdDocument(codec, source.read(0, source.size), withSideHeaders(codec, path, {}), id);
	const stat = 'stat' in source ? statOf(path, source.stat as Parameters<typeof statOf>[1]) : undefined;
	const profile = profileOf(codec, { dialect, source, beside: () => rolesBeside(codec, path) });
	return { held, profile, ...(stat ? { stat } : {}) };
}

function rolesBeside(codec: Codec, path: string): readonly SideRole[] {
	return codec.places.sideFiles(path, diskFolders).map(({ role }) => role);
}
