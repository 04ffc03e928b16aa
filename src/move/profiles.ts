/** What a session's dialect means for converting it, as its codec says. */
import { codecOf } from '../codecs/index.ts';
import type { Profile, Session } from '../model/index.ts';

type Told = Pick<Session, 'format' | 'dialect'>;

/** True when the session needs no rewriting to be one of that profile. */
export function fits({ format, dialect }: Told, profile: Profile): boolean {
	return codecOf(format)?.profiles.dialects[dialect]?.includes(profile) ?? false;
}

/** Dialects that nobody goes on writing: a conversion back is an ordinary one. */
export function isReadOnly({ format, dialect }: Told): boolean {
	return codecOf(format)?.profiles.readOnly?.includes(dialect) ?? false;
}
