/** Whether a session's dialect has a profile already, and which dialects no conversion goes back to, as its codec says. */
import { codecOf } from '../codecs/index.ts';
import type { Profile, Session } from '../model/index.ts';

type Told = Pick<Session, 'format' | 'dialect'>;

/** True when the session needs no rewriting to have that profile. */
export function fits({ format, dialect }: Told, profile: Profile): boolean {
	return codecOf(format)?.profiles.dialects[dialect]?.includes(profile) ?? false;
}

/** True for dialects that no client writes any more: a conversion back to one is an ordinary conversion. */
export function isReadOnly({ format, dialect }: Told): boolean {
	return codecOf(format)?.profiles.readOnly?.includes(dialect) ?? false;
}
