/** What repair needs of a codec: for each rule the smallest change that satisfies it; and how edits of records become splices. Pure: lines in, edits out. */
import { isObject, type Json, type JsonObject, type Loss } from '../../../model/index.ts';
import type { Line } from '../read/line.ts';
import { parseRecord } from '../read/parse.ts';
import { type Path, withoutValue, withText, withValue } from '../write/json-edit.ts';

export interface Repair {
	/** In the order in which they are tried: first lines, then their links, then tool calls. */
	readonly remedies: readonly Remedy[];
	/** Errors that no edit can mend, each with the reason for the user. */
	readonly hopeless: { readonly [rule: string]: string };
	/** How files are edited. Default: as lines. */
	edits?(file: RepairFile): Edits;
}

export interface Remedy {
	readonly rules: readonly string[];
	/** One sentence for the documentation. */
	readonly does: string;
	/** The one client version that cannot read such a file; the remedy is used only for that version. */
	readonly only?: string;
	/** Finds problems that break no rule, but that an option asks to mend. */
	find?(file: RepairFile): readonly Problem[];
	/** Makes the edits, or none where it cannot help. */
	mend(edits: Edits, problems: readonly Problem[]): void;
}

export interface RepairFile {
	readonly bytes: Uint8Array;
	/** All records, blank lines and separators included: `lines[n].index` is `n`. */
	readonly lines: readonly Line[];
	readonly options: RepairOptions;
}

export interface RepairOptions {
	/** The session's id from the name of the file. */
	readonly id: string;
	/** The time for a session that states none. */
	readonly time: string;
	/** The project's folder, for a file that does not name it. */
	readonly cwd: string;
	/** The client version whose own problems are mended, too. */
	readonly client?: string;
	/** What to do with all thinking, when the model no longer accepts the signatures. */
	readonly thinking?: 'text' | 'drop';
}

/** A broken rule, found by validation or by a remedy's own `find`. */
export interface Problem {
	readonly rule: string;
	/** The index of the record; -1 for the file as a whole. */
	readonly index: number;
	readonly path: string;
}

/** A replacement of some bytes by others. */
export interface Splice {
	readonly at: number;
	readonly remove: number;
	readonly insert: Uint8Array;
}

/** Why something is changed, and what is lost by that. */
export interface Note {
	readonly rule: string;
	readonly what: string;
	/** The loss, at the place of the change unless it names another. */
	readonly lost?: { readonly path?: string; readonly how: Loss['how']; readonly note: string };
	/** The file name under which the client would find the session. */
	readonly name?: string;
}

export interface PlacedNote extends Note {
	readonly lost?: Omit<Loss, 'entry'>;
	/** The offset in the bytes that are mended. */
	readonly at: number;
	/** The id of the changed entry, where it has one. */
	readonly entry?: string;
}

export interface Mended {
	/** Sorted by position, without overlaps. */
	readonly splices: readonly Splice[];
	readonly notes: readonly PlacedNote[];
}

interface Work {
	/** Undefined for a record that was removed. */
	bytes: Uint8Array | undefined;
	readonly before: Uint8Array[];
	readonly after: Uint8Array[];
}

/** Collects changes to single records; all other bytes of the file stay. */
export class Edits {
	readonly file: RepairFile;
	protected readonly work = new Map<number, Work>();
	private readonly notes: PlacedNote[] = [];
	private whole: readonly Splice[] | undefined;

	constructor(file: RepairFile) {
		this.file = file;
	}

	/** The record after the changes so far; undefined when it was removed or is no object. */
	value(index: number): JsonObject | undefined {
		const work = this.work.get(index);
		if (!work) return this.file.lines[index]?.value;
		return work.bytes && parseRecord(work.bytes, index === 0).value;
	}

	bytes(index: number): Uint8Array | undefined {
		const work = this.work.get(index);
		return work ? work.bytes : this.file.lines[index]?.bytes;
	}

	isRemoved(index: number): boolean {
		return this.work.has(index) && this.work.get(index)?.bytes === undefined;
	}

	set(index: number, path: Path, value: Json, note: Note): void {
		this.change(index, (bytes) => withValue(bytes, path, value), note, path);
	}

	/** Sets a value that is given as JSON text. */
	setText(index: number, path: Path, text: string, note: Note): void {
		this.change(index, (bytes) => withText(bytes, path, text), note, path);
	}

	cut(index: number, path: Path, note: Note): void {
		this.change(index, (bytes) => withoutValue(bytes, path), note, path);
	}

	/** Replaces all bytes of a record, its line ending included. */
	change(index: number, change: (bytes: Uint8Array) => Uint8Array, note: Note, path: Path = []): void {
		const work = this.workOn(index);
		if (!work.bytes) return;
		work.bytes = change(work.bytes);
		this.tell(index, note, path);
	}

	remove(index: number, note: Note): void {
		this.workOn(index).bytes = undefined;
		this.tell(index, note);
	}

	insertBefore(index: number, record: Uint8Array | JsonObject, note: Note): void {
		this.workOn(index).before.push(record instanceof Uint8Array ? record : this.written(record));
		this.tell(index, note);
	}

	insertAfter(index: number, record: Uint8Array | JsonObject, note: Note): void {
		this.workOn(index).after.push(record instanceof Uint8Array ? record : this.written(record));
		this.tell(index, note);
	}

	/** A record in the way that this file writes records. */
	protected written(value: JsonObject): Uint8Array {
		return Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
	}

	tell(index: number, { lost, ...note }: Note, path: Path = []): void {
		const line = this.file.lines[index];
		const id = line?.value?.uuid ?? line?.value?.id;
		const at = line?.at ?? this.file.bytes.length;
		this.notes.push({
			...note,
			...(lost ? { lost: { path: textOfPath(path), ...lost } } : {}),
			at,
			...(typeof id === 'string' ? { entry: id } : {}),
		});
	}

	/** Sets edits of the whole file, in place of changes to records. */
	spliceFile(splices: readonly Splice[]): void {
		this.whole = splices;
	}

	done(): Mended {
		return { splices: this.whole ?? this.splices(), notes: this.notes };
	}

	/** The edits for a file of lines. A document overrides this, because it has separators. */
	protected splices(): readonly Splice[] {
		const splices: Splice[] = [];
		for (const [index, { bytes, before, after }] of [...this.work].sort(([a], [b]) => a - b)) {
			const line = this.file.lines[index];
			if (!line) continue;
			const own = bytes && after.length > 0 ? ended(bytes) : bytes;
			const insert = Buffer.concat([...before.map(ended), ...(own ? [own] : []), ...after.map(ended)]);
			splices.push({ at: line.at, remove: line.length, insert });
		}
		return splices;
	}

	protected workOn(index: number): Work {
		let work = this.work.get(index);
		if (!work) {
			work = { bytes: this.file.lines[index]?.bytes, before: [], after: [] };
			this.work.set(index, work);
		}
		return work;
	}
}

/** A path as text: `message.content[0].id`. */
function textOfPath(path: Path): string {
	const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
	return steps.join('').replace(/^\./, '');
}

/** A note for a change that loses something. */
export function lossNote(rule: string, what: string, how: Loss['how'], note: string, path?: string): Note {
	return { rule, what, lost: { ...(path === undefined ? {} : { path }), how, note } };
}

/** A note for a removal. */
export function removal(rule: string, thing: string): Note {
	return lossNote(rule, `took out ${thing}`, 'dropped', thing);
}

const newline = 10;

function ended(bytes: Uint8Array): Uint8Array {
	return bytes.at(-1) === newline ? bytes : Buffer.concat([bytes, Uint8Array.of(newline)]);
}

/** `value` is the record before this remedy; absent where that is no object. */
type MendOne = (edits: Edits, problem: Problem, value: JsonObject | undefined) => void;

/** Mends problems one by one. */
export function each(mend: MendOne): Remedy['mend'] {
	return (edits, problems) => {
		for (const problem of problems) mend(edits, problem, edits.file.lines[problem.index]?.value);
	};
}

/** Mends each record once, however many problems it has; only the first is reported. */
export function eachRecord(mend: MendOne): Remedy['mend'] {
	const all = each(mend);
	return (edits, problems) =>
		all(
			edits,
			[...byRecord(problems).values()].flatMap(([first]) => first ?? []),
		);
}

/** The problems of each record, in file order. */
export function byRecord(problems: readonly Problem[]): ReadonlyMap<number, readonly Problem[]> {
	return Map.groupBy(
		problems.filter(({ index }) => index >= 0),
		({ index }) => index,
	);
}

/** A value as text, for places that take only text. */
export function asText(value: Json | undefined): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	return JSON.stringify(value);
}

/** The texts of blocks, one per line; other blocks as JSON. */
export function textOfBlocks(content: Json | undefined): string {
	if (!Array.isArray(content)) return asText(content);
	return (content as readonly Json[]).map((block) => blockAsText(block)).join('\n');
}

function blockAsText(block: Json): string {
	const { text, type } = isObject(block) ? block : {};
	if (typeof text === 'string') return text;
	return type === 'image' || type === 'document' ? `[${type}]` : asText(block);
}
