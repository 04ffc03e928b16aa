/** Which folders the user trusts: what Claude Code has been told, and what Reprise has. */
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { errorText, isObject, type JsonObject } from '../../model/index.ts';
import { dataFolder } from '../../store/own-data/data-folder.ts';
import { changeOwn, readOwn } from '../../store/own-data/own-data.ts';
import { jsonOf, largestOfUser } from './settings-file.ts';

export interface Trust {
	/** Undefined: nobody has said. */
	readonly answer?: boolean;
	/** What could not be read, one line each. */
	readonly notes: readonly string[];
}

/** A folder is trusted by its own path alone: what lies in a trusted folder may have come from somebody else. */
export function trustOf(folder: string, claudeJson: string, machine: Machine): Trust {
	const { known, notes } = knownToClaude(claudeJson);
	const theirs = entryOf(known.projects, folder);
	if (theirs?.hasTrustDialogAccepted === true) return { answer: true, notes };
	const ours = entryOf(readOwn(trustFile(machine))?.folders, folder);
	return typeof ours?.trusted === 'boolean' ? { answer: ours.trusted, notes } : { notes };
}

/** Keeps what the user said, so that it is asked once. */
export async function keepTrust(folder: string, trusted: boolean, machine: Machine): Promise<void> {
	await changeOwn(machine, trustFile(machine), (before = {}) => {
		const folders = isObject(before.folders) ? before.folders : {};
		return { ...before, folders: { ...folders, [folder]: { trusted, time: new Date().toISOString() } } };
	});
}

function trustFile(machine: Machine): string {
	return join(dataFolder(machine), 'trust.json');
}

function knownToClaude(path: string): { readonly known: JsonObject; readonly notes: readonly string[] } {
	try {
		const known = jsonOf(path, largestOfUser);
		return { known: isObject(known) ? known : {}, notes: [] };
	} catch (error) {
		return { known: {}, notes: [`${path}: ${errorText(error)}`] };
	}
}

/** Own keys only: a folder may be called anything. */
function entryOf(table: unknown, folder: string): JsonObject | undefined {
	if (!isObject(table) || !Object.hasOwn(table, folder)) return undefined;
	const entry = table[folder];
	return isObject(entry) ? entry : undefined;
}
