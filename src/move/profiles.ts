/** Which profile a session is written in already. */
import type { Profile, Session } from '../model/index.ts';

/** Dialects that one profile writes. Claude Code's classic lines are what the document describes and what the client reads. */
const written: { readonly [format: string]: { readonly [dialect: string]: readonly Profile[] } } = {
	'claude-code': { classic: ['client', 'published'], extended: ['client'] },
	cline: { client: ['client'], contract: ['published'] },
	clido: { client: ['client'], published: ['published'] },
	openclaw: { v3: ['client'], 'openclaw-v3': ['client'], bare: ['published'] },
};

/** True when the session needs no rewriting to be one of that profile. */
export function fits(session: Pick<Session, 'format' | 'dialect'>, profile: Profile): boolean {
	return written[session.format]?.[session.dialect]?.includes(profile) ?? false;
}

/** The profile that the session is in; undefined for dialects that are only read. */
export function profileOf(session: Pick<Session, 'format' | 'dialect'>): Profile | undefined {
	return written[session.format]?.[session.dialect]?.[0];
}

/** Dialects that nobody goes on writing: a conversion back is an ordinary one. */
export function isReadOnly(session: Pick<Session, 'format' | 'dialect'>): boolean {
	return session.dialect === 'vscode' || session.dialect === 'v4';
}
