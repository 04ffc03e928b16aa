/** Writes settings, titles, summaries, checkpoints and pointers as lines beside the graph. */
import type {
	CheckpointEntry,
	FileSnapshot,
	LeafEntry,
	MessageEntry,
	SettingEntry,
	Settings,
	SummaryEntry,
} from '../../../model/index.ts';
import { textIn } from '../../shared/write/said.ts';
import { settingFields } from '../lines.ts';
import { backupName } from '../places/backups.ts';
import type { Fields, Writer } from './line-writer.ts';
import { carried, isOwn, ownFields } from './own-fields.ts';

export interface BesideFile {
	readonly path: string;
	readonly bytes: Uint8Array;
}

/** The line type for each setting that the client keeps. */
const lineOf: { readonly [K in keyof Settings]: string } = {
	title: 'custom-title',
	permissionMode: 'permission-mode',
	mode: 'mode',
	agentName: 'agent-name',
	agentColor: 'agent-color',
	tag: 'tag',
};

export function writeSetting(entry: SettingEntry, writer: Writer): void {
	const own = ownFields(entry);
	for (const key of Object.keys(entry.set) as (keyof Settings)[]) {
		const value = entry.set[key];
		if (value === undefined) continue;
		if (key === 'cwd' && typeof value === 'string') writer.cwd = value;
		else if (key === 'permissionMode' && writer.profile === 'published') writer.permissionMode = String(value);
		else if (key === 'title' && 'aiTitle' in own && writer.profile === 'client') {
			writeMadeTitle(entry, value as string, writer);
		} else if (lineOf[key] === undefined || (writer.profile === 'published' && key !== 'title')) {
			writer.lose(entry, `set.${key}`, 'dropped', `there is no line for the setting ${key}`);
		} else writeOneValue(entry, lineOf[key], value as string | null, writer);
	}
	writer.skip(entry);
}

function writeOneValue(entry: SettingEntry | undefined, type: string, value: string | null, writer: Writer): void {
	const field = settingFields[type] ?? type;
	writer.besideLine(entry, { type, [field]: value ?? '', sessionId: writer.sessionId });
}

/** A title that the user has not chosen. It counts more than a summary line. */
export function writeMadeTitle(entry: SettingEntry | undefined, aiTitle: string, writer: Writer): void {
	writer.besideLine(entry, { type: 'ai-title', aiTitle, sessionId: writer.sessionId });
}

/** Writes the title of a session that has it only in its header. */
export function writeTitle(title: string, writer: Writer): void {
	writeOneValue(undefined, 'custom-title', title, writer);
}

export function writeSummary(entry: SummaryEntry, writer: Writer): void {
	if (entry.of === 'branch') {
		writer.lose(
			entry,
			'',
			'approximated',
			'the summary of a branch is written as a user line that the user does not see',
		);
		const fields = { type: 'user', isMeta: true, message: { role: 'user', content: entry.text } };
		writer.graphLine(entry, writer.parentOf(entry), fields, { isMessage: true });
		return;
	}
	const leaf = entry.leaf === undefined ? undefined : (writer.uuidOf(entry.leaf) ?? entry.leaf);
	writer.besideLine(entry, {
		type: 'summary',
		summary: entry.text,
		leafUuid: leaf ?? writer.last ?? '',
		...carried(ownFields(entry)),
	});
}

export function writeLeaf(entry: LeafEntry, prompt: MessageEntry | undefined, writer: Writer): void {
	const target = targetOf(entry, writer);
	writer.skip(entry);
	if (writer.profile === 'published' || target === undefined) {
		if (target !== writer.last) {
			writer.lose(
				entry,
				'target',
				'dropped',
				'where the conversation goes on cannot be said; it is after the last line',
			);
		}
		return;
	}
	const own = isOwn(entry.extra) ? carried(ownFields(entry)) : { lastPrompt: promptText(prompt), explicit: true };
	writer.besideLine(undefined, { type: 'last-prompt', ...own, leafUuid: target, sessionId: writer.sessionId });
}

/** The uuid of a pointer's target. The pointer may come before its line; lines of this format keep their ids. `null`: all is taken back. */
function targetOf(entry: LeafEntry, writer: Writer): string | null | undefined {
	if (entry.target === null) return isOwn(entry.extra) && entry.extra?.explicit === true ? null : undefined;
	return writer.uuidOf(entry.target) ?? (isOwn(entry.extra) ? entry.target : undefined);
}

/** Writes a pointer, so that the client goes on from a line that it would not choose by itself. */
export function writePointer(prompt: MessageEntry | undefined, fields: Fields, writer: Writer): void {
	const lastPrompt = promptText(prompt);
	writer.besideLine(undefined, { type: 'last-prompt', lastPrompt, ...fields, sessionId: writer.sessionId });
}

/** The text that a session picker shows for a prompt. */
function promptText(prompt: MessageEntry | undefined): string {
	return prompt ? textIn(prompt).slice(0, 200) : '';
}

export interface Checkpoints {
	/** The known files of each message's checkpoints, because the document has no line for one more file. */
	readonly known: Map<string, Map<string, FileSnapshot['state']>>;
	/** The folder for copies of files, relative to the main file's. */
	readonly folder: string;
	readonly beside: BesideFile[];
}

export function writeCheckpoint(entry: CheckpointEntry, checkpoints: Checkpoints, writer: Writer): void {
	const own = ownFields(entry);
	const of = entry.of === undefined ? writer.last : (writer.uuidOf(entry.of) ?? entry.of);
	const isDelta = own.trackingPath !== undefined;
	if (writer.profile === 'client' && isDelta) {
		writer.besideLine(entry, { type: 'file-history-delta', ...own, timestamp: writer.plainTime(entry) });
		return;
	}
	const files = filesOf(entry, checkpoints, isDelta);
	const inline = [...files.values()].some((state) => state.is === 'inline');
	const timestamp = writer.plainTime(entry);
	const snapshot =
		writer.profile === 'client' && own.snapshot !== undefined && !inline
			? own.snapshot
			: { messageId: of ?? '', trackedFileBackups: backups(entry, files, checkpoints, writer), timestamp };
	writer.besideLine(entry, {
		type: 'file-history-snapshot',
		messageId: own.messageId ?? of ?? '',
		snapshot,
		isSnapshotUpdate: entry.update,
	});
}

function filesOf(
	entry: CheckpointEntry,
	{ known }: Checkpoints,
	isDelta: boolean,
): ReadonlyMap<string, FileSnapshot['state']> {
	const key = entry.of ?? '';
	const files = new Map(isDelta ? known.get(key) : undefined);
	for (const file of entry.files) files.set(file.path, file.state);
	known.set(key, files);
	return files;
}

function backups(
	entry: CheckpointEntry,
	files: ReadonlyMap<string, FileSnapshot['state']>,
	checkpoints: Checkpoints,
	writer: Writer,
): Fields {
	const made: Fields = {};
	for (const [path, state] of files) {
		const backup =
			writer.profile === 'published'
				? inlineBackup(entry, path, state, writer)
				: reference(entry, path, state, checkpoints, writer);
		if (backup !== undefined && path !== '__proto__') made[path] = backup;
	}
	return made;
}

function inlineBackup(entry: CheckpointEntry, path: string, state: FileSnapshot['state'], writer: Writer) {
	if (state.is === 'inline') return state.text;
	if (state.is === 'absent') return null;
	writer.lose(entry, `files.${path}`, 'dropped', `the text is in the copy ${state.name}, which is not at hand`);
	return undefined;
}

/** The name of a copy: the client keeps copies in a folder of its own and names them by path and version. */
function reference(
	entry: CheckpointEntry,
	path: string,
	state: FileSnapshot['state'],
	{ folder, beside }: Checkpoints,
	writer: Writer,
): Fields {
	const backupTime = state.is === 'backup' && state.time !== undefined ? state.time : writer.plainTime(entry);
	if (state.is === 'absent') return { backupFileName: null, version: state.version ?? 1, backupTime };
	if (state.is === 'backup') return { backupFileName: state.name, version: state.version ?? 1, backupTime };
	const bytes = Buffer.from(state.text, 'utf8');
	for (let version = 1; ; version += 1) {
		const name = backupName(writer.header.cwd, path, version);
		const there = beside.find((file) => file.path === `${folder}/${name}`);
		if (there && !Buffer.from(there.bytes).equals(bytes)) continue;
		if (!there) beside.push({ path: `${folder}/${name}`, bytes });
		return { backupFileName: name, version, backupTime };
	}
}
