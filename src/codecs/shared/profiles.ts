/** Which profile a session has: its dialect decides, and where that fits both, its first lines (200 at most) or a side file. */
import type { JsonObject, Profile, Session } from '../../model/index.ts';
import type { Codec, SideRole } from '../codec.ts';

export interface ProfileRules {
	/** The profiles in which files of a dialect are valid. A dialect that is missing here can only be read. */
	readonly dialects: { readonly [dialect: string]: readonly Profile[] };
	/** Dialects that no client writes any more. */
	readonly readOnly?: readonly string[];
	/** The profile that one of the first lines shows, where the dialect fits both; undefined to ask the next line. */
	tell?(line: JsonObject): Profile | undefined;
	/** A side file that only the client writes: a session that has it is the client's, whatever it looks like. */
	readonly clientFile?: SideRole;
}

/** True for a format whose files are the same in both profiles. */
export function hasOneProfile({ dialects, tell }: ProfileRules): boolean {
	return tell === undefined && Object.values(dialects).every((profiles) => profiles.length === 2);
}

/** The part of a session that shows its profile. */
export interface Begun extends Pick<Session, 'dialect' | 'source'> {
	/** The roles of its side files. */
	beside?(): Iterable<SideRole>;
}

/** The profile that the session was begun in: whoever goes on with it must write what its readers expect. */
export function profileOf(codec: Codec, begun: Begun): Profile {
	const { dialects, tell, clientFile } = codec.profiles;
	const fitting = dialects[begun.dialect] ?? [];
	const told = fitting.length === 2 && tell ? firstTold(codec, begun, tell) : fitting[0];
	if (told !== 'published') return 'client';
	const roles = clientFile === undefined ? [] : [...(begun.beside?.() ?? [])];
	return clientFile !== undefined && roles.includes(clientFile) ? 'client' : 'published';
}

/** How many lines are read: a session of the profile `published` begins its conversation before that. */
const mostLines = 200;
const mostBytes = 1 << 24;
const step = 1 << 16;

function firstTold(
	codec: Codec,
	{ source }: Begun,
	tell: (line: JsonObject) => Profile | undefined,
): Profile | undefined {
	const reader = codec.read.reader();
	let told: Profile | undefined;
	let lines = 0;
	const visit = ({ value }: { readonly value?: JsonObject }): void => {
		lines += 1;
		if (value) told ??= tell(value);
	};
	const end = Math.min(source.size, mostBytes);
	for (let at = 0; at < end && told === undefined && lines < mostLines; at += step) {
		reader.push(source.read(at, Math.min(step, end - at)), visit);
	}
	if (told === undefined && lines < mostLines) reader.end(visit);
	return told;
}
