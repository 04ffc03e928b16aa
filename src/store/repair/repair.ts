/** `reprise repair`: up to which size a file is repaired, whether the result replaces it or goes elsewhere, and when a file is left alone because nothing would be left. */
import { dirname, join, resolve } from 'node:path';
import { type Codec, codecOf, decodeBytes, type Machine } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import type { Issue, Loss } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { thisMachine } from '../find/folders.ts';
import { ownLog } from '../own-data/own-data.ts';
import { databasePath } from '../reader/database.ts';
import { codecAt } from '../reader/session-reader.ts';
import { stemOf } from '../reader/whole.ts';
import { unifiedDiff } from './diff.ts';
import { type Change, planRepair, type RepairPlan } from './plan.ts';
import { replaceFile, writeBeside } from './write.ts';

export type { Change } from './plan.ts';
export { planRepair, type RepairPlan } from './plan.ts';

export interface RepairFileOptions {
	/** Say what would be done, and write nothing. */
	readonly dryRun?: boolean;
	/** Write the repaired session there; the original stays as it is. */
	readonly out?: string;
	/** Also mend what only this version of the client cannot read. */
	readonly client?: string;
	/** What to do with all thinking: turn it into text, or drop it. */
	readonly thinking?: 'text' | 'drop';
	/** The format, for a file that is too damaged to show it. */
	readonly format?: string;
	/** The project's folder, where the file does not name one. Default: the current one. */
	readonly cwd?: string;
	readonly machine?: Machine;
}

export interface RepairResult {
	readonly format: string;
	readonly changed: boolean;
	/** True when no error is left. */
	readonly ok: boolean;
	readonly changes: readonly Change[];
	readonly losses: readonly Loss[];
	/** Errors that no edit mends, with the reason. */
	readonly unrepaired: readonly { readonly issue: Issue; readonly reason: string }[];
	readonly diff: string;
	/** The file that holds the repaired session, and the one that holds the original; null when nothing was written. */
	readonly out: string | null;
	readonly kept: string | null;
	/** Set when the client finds the session only under this file name. */
	readonly name: string | null;
}

/** Larger files are refused: a repair holds everything in memory, and no client loads such a file. */
const largest = 1 << 30;

/** Makes the smallest edit after which the client can go on with the session at `path`; the original is kept. */
export async function repairFile(path: string, options: RepairFileOptions = {}): Promise<RepairResult> {
	const machine = options.machine ?? thisMachine();
	if (databasePath(path).session !== undefined) {
		const say = 'is in a database of OpenClaw, which Reprise does not write to: fork or convert it first';
		throw new InputError('database', `${path} ${say}`);
	}
	const codec = codecFor(path, options.format);
	const stat = await ownLog(machine).stat(path);
	if (!stat) throw new InputError('missing', `${path} does not exist`);
	if (stat.length > largest) {
		throw new InputError('too-large', `${path} is larger than ${largest >> 20} MB: too large to be repaired`);
	}
	const original = readWhole(path);
	const found = planRepair(codec, original, {
		id: stemOf(path),
		time: new Date(stat.mtimeMs).toISOString(),
		cwd: options.cwd ?? decodeBytes(codec, original).header.cwd ?? process.cwd(),
		...(options.client === undefined ? {} : { client: options.client }),
		...(options.thinking === undefined ? {} : { thinking: options.thinking }),
	});
	const plan = emptied(codec, found) ? leftAlone(original, found) : found;
	// Whoever names another place wants a session there that can be resumed, repaired or not.
	const isWanted = plan.changed || (options.out !== undefined && plan.unrepaired.length === 0);
	const written = isWanted && options.dryRun !== true ? await write() : undefined;
	const { changed, changes, losses, unrepaired } = plan;

	function write() {
		if (!stat) throw new InputError('missing', `${path} does not exist`);
		if (options.out !== undefined) return writeBeside(path, options.out, plan.bytes);
		const named = plan.name === undefined ? resolve(path) : join(dirname(resolve(path)), plan.name);
		if (named !== resolve(path)) return writeBeside(path, named, plan.bytes);
		return replaceFile(path, stat, original, plan.bytes, machine);
	}

	return {
		format: codec.id,
		changed,
		ok: unrepaired.length === 0,
		changes,
		losses,
		unrepaired,
		diff: unifiedDiff(path, original, plan.bytes),
		out: written?.out ?? null,
		kept: written?.kept ?? null,
		name: plan.name ?? null,
	};
}

/** True where the repair would remove everything in the file. */
function emptied(codec: Codec, { changed, before, bytes }: RepairPlan): boolean {
	return changed && before.length > 0 && decodeBytes(codec, bytes).entries.length === 0;
}

/** A plan that changes nothing, for a file of which nothing would be left: somebody may know what it was. */
function leftAlone(original: Uint8Array, plan: RepairPlan): RepairPlan {
	const reason = 'nothing in this file can be read: nothing would be left to resume';
	const { name: _, ...rest } = plan;
	return {
		...rest,
		bytes: original,
		changed: false,
		changes: [],
		losses: [],
		after: plan.before,
		unrepaired: plan.before.slice(0, 1).map((issue) => ({ issue, reason })),
	};
}

function codecFor(path: string, format: string | undefined): Codec {
	if (format !== undefined) {
		const codec = codecOf(format);
		if (codec) return codec;
		throw new InputError('unknown-format', `${format} is not a format that Reprise knows`);
	}
	return codecAt(path);
}

function readWhole(path: string): Uint8Array {
	using source = openFile(path);
	return source.read(0, source.size);
}
