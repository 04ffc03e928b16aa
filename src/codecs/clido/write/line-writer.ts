/** Clido's `meta`, `title` and `system` lines, and the losses for ids, times and fields that none of its lines has a place for. */
import type { Entry, JsonObject, Profile } from '../../../model/index.ts';
import type { Losses } from '../../shared/write/losses.ts';
import { schemaVersion } from '../lines.ts';
import type { JsonWriter } from './json-bytes.ts';

export interface Encoding {
	readonly profile: Profile;
	readonly json: JsonWriter;
	readonly losses: Losses;
	/** True during a run: a result then is that of its own run. */
	readonly live: boolean;
	/** The number of prompts so far, those in the file included, for a result without a count of turns. */
	prompts: number;
}

/** The meta line. `reprise` is a field that Clido does not know and ignores. */
export function metaLine(id: string, start_time: string, cwd: string, json: JsonWriter, reprise?: JsonObject): string {
	const base = { type: 'meta', session_id: id, schema_version: schemaVersion, start_time, project_path: cwd };
	return json.write({ ...base, reprise });
}

export function titleLine(title: string, json: JsonWriter): string {
	return json.write({ type: 'title', title });
}

/** Reports ids and times of entries, and fields without a neutral name, none of which Clido has a place for. */
export function noteCommon(entry: Entry, losses: Losses): void {
	if (!/^(line|message):\d+$/.test(entry.id)) losses.dropped(entry.id, 'id', 'Clido lines have no ids');
	if (entry.time !== undefined) losses.dropped(entry.id, 'time', 'Clido keeps no times but that of the start');
	if (entry.extra !== undefined) losses.dropped(entry.id, 'extra', noPlace(entry.extra));
}

export function noPlace(extra: JsonObject): string {
	return `Clido lines have no place for: ${Object.keys(extra).join(', ')}`;
}

export function systemLine(
	subtype: string,
	message: string | undefined,
	json: JsonWriter,
	reprise?: JsonObject,
): string {
	return json.write({ type: 'system', subtype, message: message || undefined, reprise });
}
