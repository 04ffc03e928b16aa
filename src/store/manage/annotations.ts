/** Annotations of sessions (tags, archived, the folder of a relinked one, labels) and how `marks.json` in our own data keeps them. Lost ones cannot be rebuilt. */
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { isObject, type JsonObject } from '../../model/index.ts';
import type { FoundSession } from '../find/discover.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { changeOwn, readOwn } from '../own-data/own-data.ts';

export interface Annotations {
	readonly tags: readonly string[];
	/** When the session was archived; absent: it is not. */
	readonly archived?: string;
	/** The project's folder since `relink`, where the session's own lines still say the old one. */
	readonly folder?: string;
	/** Names of entries, where the session's own file has no place for them. */
	readonly labels?: { readonly [entry: string]: string };
}

const none: Annotations = { tags: [] };

type Marked = Pick<FoundSession, 'format' | 'id'>;

/** The key of a session's annotations. An id is unique within its format only. */
function keyOf({ format, id }: Marked): string {
	return `${format}:${id}`;
}

function marksFile(machine: Machine): string {
	return join(dataFolder(machine), 'marks.json');
}

/** Reads all annotations once, to be asked about many sessions. */
export function readAnnotations(machine: Machine): (session: Marked) => Annotations {
	const sessions = readOwn(marksFile(machine))?.sessions;
	return (session) => {
		const key = keyOf(session);
		return isObject(sessions) && Object.hasOwn(sessions, key) ? marksFrom(sessions[key]) : none;
	};
}

function marksFrom(value: unknown): Annotations {
	if (!isObject(value)) return none;
	const { tags, archived, folder, labels } = value;
	return {
		tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
		...(typeof archived === 'string' ? { archived } : {}),
		...(typeof folder === 'string' ? { folder } : {}),
		...(isObject(labels) ? { labels: textsIn(labels) } : {}),
	};
}

function textsIn(value: JsonObject): { readonly [name: string]: string } {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
	);
}

/** Changes the annotations of some sessions at once. Fields that a later version of Reprise wrote are kept. */
export async function annotate(
	machine: Machine,
	sessions: readonly Marked[],
	change: (marks: Annotations) => Annotations,
): Promise<readonly Annotations[]> {
	const changed: Annotations[] = [];
	await changeOwn(machine, marksFile(machine), (file) => {
		const all = new Map<string, JsonObject>();
		for (const [key, value] of Object.entries(isObject(file?.sessions) ? file.sessions : {})) {
			if (isObject(value)) all.set(key, value);
		}
		for (const session of sessions) {
			const key = keyOf(session);
			const { tags: _tags, archived: _archived, folder: _folder, labels: _labels, ...rest } = all.get(key) ?? {};
			const marks = change(marksFrom(all.get(key)));
			changed.push(marks);
			const entry: JsonObject = {
				...rest,
				...(marks.tags.length > 0 ? { tags: [...marks.tags] } : {}),
				...stated(marks),
			};
			if (Object.keys(entry).length > 0) all.set(key, entry);
			else all.delete(key);
		}
		return { ...file, version: 1, sessions: Object.fromEntries(all) };
	});
	return changed;
}

function stated({ archived, folder, labels = {} }: Annotations): JsonObject {
	return {
		...(archived === undefined ? {} : { archived }),
		...(folder === undefined ? {} : { folder }),
		...(Object.keys(labels).length === 0 ? {} : { labels: { ...labels } }),
	};
}
