/** The files of a session's sub-agents, new and old: where they are, and what they and their notes are called (`.agent`, `.note`) where the client has no place for them. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Machine, SubagentFacts, SubagentPlace, SubagentTask } from '../../codecs/index.ts';
import { createFiles } from '../../log/index.ts';
import { readIfThere } from '../../log/regular-file.ts';
import {
	compact,
	type FormatId,
	type Header,
	isObject,
	type JsonObject,
	type Profile,
	parsedJson,
} from '../../model/index.ts';
import { diskFolders } from '../find/folders.ts';
import { writerNamed } from '../format-named.ts';
import { ownLog } from '../own-data/own-data.ts';
import { agentsFolder, filesInFolder } from '../own-data/session-folders.ts';
import { handleOn, openHandle, type SessionHandle } from './handle.ts';
import { NewState } from './new-state.ts';

/** The session whose sub-agents are meant; those of sub-agents lie beside them, and belong to it as well. */
export interface RootSession {
	/** The main file. */
	readonly path: string;
	readonly id: string;
	readonly format: FormatId;
	readonly profile: Profile;
	/** Where its agents are kept that its client has no place for. */
	readonly machine: Machine;
}

export function rootOf({ path, session, profile, machine }: SessionHandle): RootSession {
	return { path, id: session.id, format: session.format, profile, machine };
}

export interface NewSubagent {
	readonly id: string;
	readonly handle: SessionHandle;
	/** Tells the client's own note beside the file what became of it. */
	note(facts: SubagentFacts): Promise<void>;
}

/** A sub-agent that has said nothing yet: its file is made with its first entry. */
export function createSubagent(root: RootSession, header: Header, about: SubagentTask): NewSubagent {
	const { machine } = root;
	const codec = writerNamed(root.format);
	const time = new Date();
	const rules = codec.live.subagents;
	for (;;) {
		const id = rules?.newId(randomBytes(16), time, root.profile, about) ?? codec.write.newId(randomBytes(16), time);
		const of = { main: resolve(root.path), session: root.id, profile: root.profile, agent: id, time };
		const place = placeOfSubagent(root, id, time);
		if (existsSync(place.path)) continue;
		const given = { ...header, created: time.toISOString(), ...belonging(id, place) };
		const held = new NewState(codec, place.id, given);
		const handle = handleOn(place.path, { held, profile: root.profile }, { profile: root.profile, machine, given });
		const noted = (facts: SubagentFacts) => (rules ? rules.note?.(of, facts) : ownNote(place.path, facts));
		return { id, handle, note: async (facts) => await writeNote(noted(facts), root.profile, machine) };
	}
}

/** Where the file of a session's sub-agent is, and what it says of itself. */
export function placeOfSubagent(
	{ path, id: session, format, profile, machine }: RootSession,
	agent: string,
	time?: Date,
): SubagentPlace {
	const main = resolve(path);
	const of = { main, session, profile, agent, ...compact({ time }) };
	return writerNamed(format).live.subagents?.place(of) ?? ownPlace(main, agent, machine);
}

/** Our note beside a file of our own; undefined for a client's. */
export function ownNoteOf(path: string): string | undefined {
	return path.endsWith(ownEnding) ? noteFile(path) : undefined;
}

function belonging(agent: string, { session }: SubagentPlace): Pick<Header, 'agent' | 'from'> {
	return { agent, from: { how: 'subagent', session } };
}

export interface SubagentFile {
	readonly id: string;
	readonly path: string;
	/** What is noted beside one of our own. */
	readonly meta?: JsonObject;
}

type SubagentsOf = Pick<RootSession, 'path' | 'format' | 'machine'>;

/** The files of a session's sub-agents. */
export function subagentFiles({ path, format, machine }: SubagentsOf): readonly SubagentFile[] {
	const main = resolve(path);
	const beside = writerNamed(format).places.sideFiles(main, diskFolders);
	const found = beside.flatMap((file) =>
		file.role === 'subagent' && file.id !== undefined ? [{ id: file.id, path: file.path }] : [],
	);
	return [...found, ...ownSubagentFiles(main, machine)];
}

/** The files of those that the session's client has no place for. */
export function ownSubagentFiles(main: string, machine: Machine): readonly SubagentFile[] {
	const own = filesInFolder(agentsFolder(machine, main)).filter((path) => path.endsWith(ownEnding));
	return own.map((path) => {
		const meta = parsedJson(readIfThere(noteFile(path))?.toString('utf8') ?? '');
		return { id: basename(path, ownEnding), path, ...(isObject(meta) ? { meta } : {}) };
	});
}

/** A handle on the sub-agent of that id; undefined where the session has none. */
export async function openSubagent(root: RootSession, id: string): Promise<SessionHandle | undefined> {
	const file = subagentFiles(root).find((one) => one.id === id);
	return file && (await openHandle(file.path, { profile: root.profile, machine: root.machine }));
}

/** No client takes a file with this ending for a session. */
const ownEnding = '.agent';

/** The client has no place for it: it is kept with our own data, so that it can be read and resumed all the same. */
function ownPlace(main: string, id: string, machine: Machine): SubagentPlace {
	return { path: join(agentsFolder(machine, main), `${id}${ownEnding}`), id, session: main };
}

/** What our note beside such a file says: what it was to do, for which call, and what no line of the format tells. */
function ownNote(path: string, { type, description, call, depth, tokens }: SubagentFacts) {
	const note = {
		agentType: type,
		description,
		toolUseId: call,
		spawnDepth: depth,
		...compact({ totalTokens: tokens }),
	};
	return { path: noteFile(path), note };
}

function noteFile(path: string): string {
	return path.replace(/\.agent$/, '.note');
}

async function writeNote(
	noted: { readonly path: string; readonly note: object } | undefined,
	profile: Profile,
	machine: Machine,
): Promise<void> {
	// The published documents know no such file beside a session; with our own data there is one.
	if (!noted || (profile === 'published' && !noted.path.endsWith('.note'))) return;
	const bytes = Buffer.from(JSON.stringify(noted.note));
	if (!existsSync(noted.path)) {
		await createFiles([{ to: noted.path, pieces: bytes }]);
		return;
	}
	await using writer = await ownLog(machine).writer(noted.path, { lines: false });
	await writer.replace(bytes);
}
