/** Finds the edits that make a session keep its rules: one remedy after the other, until none has anything left to do or the rounds have no effect any more. */
import { type Codec, checkBytes, lineChecks } from '../../codecs/index.ts';
import {
	Edits,
	type Mended,
	type Problem,
	type Remedy,
	type RepairFile,
	type RepairOptions,
} from '../../codecs/shared/check/repair.ts';
import type { Line } from '../../codecs/shared/read/line.ts';
import type { Issue, Loss } from '../../model/index.ts';
import { applySplices, lastUpTo, offsetsBefore, trimmed } from './splices.ts';

/** One change, in words. */
export interface Change {
	/** The rule that the change satisfies. */
	readonly rule: string;
	/** The number of the line in the original. */
	readonly line: number;
	readonly what: string;
	readonly losses: readonly Loss[];
}

export interface RepairPlan {
	readonly bytes: Uint8Array;
	readonly changed: boolean;
	readonly changes: readonly Change[];
	readonly losses: readonly Loss[];
	/** The issues before the repair; `after` has those that are left. */
	readonly before: readonly Issue[];
	readonly after: readonly Issue[];
	/** Errors that are left, with the reason why no edit mends them. */
	readonly unrepaired: readonly { readonly issue: Issue; readonly reason: string }[];
	/** The file name under which the client would find the session, where it has another. */
	readonly name?: string;
}

/** A round mends one kind of problem, of some kinds a single one. So many that leave no fewer problems are remedies that undo each other. */
const mostInVain = 200;

export function planRepair(codec: Codec, original: Uint8Array, options: RepairOptions): RepairPlan {
	const remedies =
		codec.check.repair?.remedies.filter(({ only }) => only === undefined || only === options.client) ?? [];
	const changes: Change[] = [];
	/** Functions that map offsets after each round to offsets before it. */
	const rounds: ((offset: number) => number)[] = [];
	const place = placesOf(codec, original);
	let bytes = original;
	let name: string | undefined;
	let fewest = Number.POSITIVE_INFINITY;
	for (let inVain = 0; inVain < mostInVain; inVain += 1) {
		const file = { bytes, lines: linesOf(codec, bytes), options };
		const mended = firstHelp(codec, remedies, file);
		if (!mended) break;
		if (mended.problems < fewest) inVain = 0;
		fewest = Math.min(fewest, mended.problems);
		for (const note of mended.notes) {
			const offset = rounds.reduceRight((at, before) => before(at), note.at);
			const { line, entry } = place(offset);
			const losses = note.lost ? [{ entry: note.entry ?? entry, ...note.lost }] : [];
			changes.push({ rule: note.rule, line, what: note.what, losses });
			name = note.name ?? name;
		}
		rounds.push(offsetsBefore(mended.splices));
		bytes = applySplices(bytes, mended.splices);
	}
	const after = checkBytes(codec, bytes);
	return {
		bytes,
		changed: rounds.length > 0,
		changes,
		losses: changes.flatMap((change) => change.losses),
		before: checkBytes(codec, original),
		after,
		unrepaired: after
			.filter((issue) => issue.severity === 'error')
			.map((issue) => ({ issue, reason: codec.check.repair?.hopeless[issue.rule] ?? 'no repair is known for it' })),
		...(name === undefined ? {} : { name }),
	};
}

function firstHelp(codec: Codec, remedies: readonly Remedy[], file: RepairFile) {
	const problems = problemsOf(codec, file.lines);
	const total = [...problems.values()].reduce((sum, { length }) => sum + length, 0);
	for (const remedy of remedies) {
		const own = remedy.rules.flatMap((rule) => problems.get(rule) ?? []).sort((a, b) => a.index - b.index);
		const asked = [...own, ...(remedy.find?.(file) ?? [])];
		if (asked.length === 0) continue;
		const mended = mendedBy(codec, remedy, file, asked);
		if (!mended) continue;
		const { splices, notes } = mended;
		const real = splices
			.map((splice) => trimmed(file.bytes, splice))
			.filter((splice) => splice.remove > 0 || splice.insert.length > 0);
		if (real.length > 0) return { splices: real, notes, problems: total };
	}
	return undefined;
}

/** The edits of a remedy; undefined where a value is nested too deeply to be written again, and so stays. */
function mendedBy(codec: Codec, remedy: Remedy, file: RepairFile, asked: readonly Problem[]): Mended | undefined {
	try {
		const edits = codec.check.repair?.edits?.(file) ?? new Edits(file);
		remedy.mend(edits, asked);
		return edits.done();
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function linesOf(codec: Codec, bytes: Uint8Array): readonly Line[] {
	const lines: Line[] = [];
	const reader = codec.read.reader();
	const visit = (line: Line): void => {
		lines.push({ ...line, bytes: bytes.subarray(line.at, line.at + line.length) });
	};
	reader.push(bytes, visit);
	reader.end(visit);
	return lines;
}

/** Every problem, by rule: `check` lists only the first hundred of a kind. */
function problemsOf(codec: Codec, lines: readonly Line[]): ReadonlyMap<string, readonly Problem[]> {
	const checks = lineChecks(codec, Number.POSITIVE_INFINITY);
	for (const line of lines) checks.visit(line);
	const found = checks.end().map(({ rule, path, record = -1 }) => ({ rule, path, index: record }));
	return Map.groupBy(found, ({ rule }) => rule);
}

interface PlaceIn {
	readonly line: number;
	/** The name for an entry without an id of its own. */
	readonly entry: string;
}

/** Maps an offset of the original to its line and entry. */
function placesOf(codec: Codec, original: Uint8Array): (offset: number) => PlaceIn {
	const starts = [0];
	for (let at = original.indexOf(10); at !== -1; at = original.indexOf(10, at + 1)) starts.push(at + 1);
	const messages =
		codec.capabilities.container === 'document'
			? linesOf(codec, original).flatMap(({ part, at }) => (part === 'item' ? [at] : []))
			: undefined;
	return (offset) => {
		const line = lastUpTo(starts, offset) + 1;
		return { line, entry: messages ? `message:${lastUpTo(messages, offset)}` : `line:${line}` };
	};
}
