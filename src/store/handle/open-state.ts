/** Opens the handle state of a session, as cheaply as its format allows. */
import { profileOf } from '../../codecs/index.ts';
import { statOf } from '../../log/file-medium.ts';
import type { LogStat } from '../../log/index.ts';
import type { Profile } from '../../model/index.ts';
import { openReader } from '../reader/session-reader.ts';
import { stemOf } from '../reader/whole.ts';
import { DocumentState } from './document-state.ts';
import type { HandleState } from './handle-state.ts';
import { linesState } from './lines-state.ts';

export interface OpenedState {
	readonly held: HandleState;
	/** The file as it was when it was read; absent for a session inside a database, which only its client may write. */
	readonly stat?: LogStat;
	/** The profile that the session was begun in. */
	readonly profile: Profile;
}

export function openState(path: string): OpenedState {
	using reader = openReader(path);
	const { codec, dialect, source } = reader;
	const id = codec.places.idOf?.(path) ?? stemOf(path);
	const held =
		codec.capabilities.container === 'lines'
			? linesState(codec, path, source, dialect, id)
			: new DocumentState(codec, reader.bytes(), reader.headerWith({}), id);
	const stat = 'stat' in source ? statOf(path, source.stat as Parameters<typeof statOf>[1]) : undefined;
	const profile = profileOf(codec, { dialect, source, beside: () => reader.sideFiles.map(({ role }) => role) });
	return { held, profile, ...(stat ? { stat } : {}) };
}
