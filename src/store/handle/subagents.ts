/** Sub-agents of a session as handles of their own: new ones, those that are there already, and where all of them are. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Codec, codecOf, type Machine, type SubagentFacts, type SubagentPlace } from '../../codecs/index.ts';
import { createFiles } from '../../log/index.ts';
import type { FormatId, Header, Profile } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { diskFolders } from '../find/folders.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog } from '../own-data/own-data.ts';
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
export function createSubagent(root: RootSession, header: Header): NewSubagent {
	const { machine } = root;
	const codec = codecFor(root.format);
	const time = new Date();
	const rules = codec.live.subagents;
	for (;;) {
		const id = rules?.newId(randomBytes(16), time, root.profile) ?? codec.write.newId(randomBytes(16), time);
		const of = { main: resolve(root.path), session: root.id, profile: root.profile, agent: id, time };
		const place = rules?.place(of) ?? ownPlace(of.main, id, machine);
		if (existsSync(place.path)) continue;
		const given = { ...header, created: time.toISOString(), ...belonging(id, place) };
		const held = new NewState(codec, place.id, given);
		const handle = handleOn(place.path, { held, profile: root.profile }, { profile: root.profile, machine, given });
		return { id, handle, note: async (facts) => await writeNote(rules?.note?.(of, facts), root.profile, machine) };
	}
}

function belonging(agent: string, { session }: SubagentPlace): Pick<Header, 'agent' | 'from'> {
	return { agent, from: { how: 'subagent', session } };
}

export interface SubagentFile {
	readonly id: string;
	readonly path: string;
}

type SubagentsOf = Pick<RootSession, 'path' | 'format' | 'machine'>;

/** The files of a session's sub-agents. */
export function subagentFiles({ path, format, machine }: SubagentsOf): readonly SubagentFile[] {
	const main = resolve(path);
	const beside = codecFor(format).places.sideFiles(main, diskFolders);
	const found = beside.flatMap((file) =>
		file.role === 'subagent' && file.id !== undefined ? [{ id: file.id, path: file.path }] : [],
	);
	const folder = ownFolder(main, machine);
	if (!existsSync(folder)) return found;
	const own = readdirSync(folder).filter((name) => name.endsWith(ownEnding));
	return [...found, ...own.map((name) => ({ id: name.slice(0, -ownEnding.length), path: join(folder, name) }))];
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
	return { path: join(ownFolder(main, machine), `${id}${ownEnding}`), id, session: main };
}

function ownFolder(main: string, machine: Machine): string {
	const name = createHash('sha256').update(main).digest('hex').slice(0, 32);
	return join(dataFolder(machine), 'agents', name);
}

async function writeNote(
	noted: { readonly path: string; readonly note: object } | undefined,
	profile: Profile,
	machine: Machine,
): Promise<void> {
	// The published document knows no such file.
	if (!noted || profile === 'published') return;
	const bytes = Buffer.from(JSON.stringify(noted.note));
	if (!existsSync(noted.path)) {
		await createFiles([{ to: noted.path, pieces: bytes }]);
		return;
	}
	await using writer = await ownLog(machine).writer(noted.path, { lines: false });
	await writer.replace(bytes);
}

function codecFor(format: FormatId): Codec {
	const codec = codecOf(format);
	if (!codec) throw new InputError('unknown-format', `${format} is not a format that Reprise writes`);
	return codec;
}
