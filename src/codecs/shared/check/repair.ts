/** What repair needs of a codec: for each rule the smallest change after which it holds again. Pure: lines in, edits out. */
import { isObject, type Json, type JsonObject, type Loss } from '../../../model/index.ts';
import type { Line } from '../read/line.ts';
import { parseRecord } from '../read/parse.ts';
import { type Path, withoutValue, withText, withValue } from '../write/json-edit.ts';

export interface Repair {
	/** In the order in which they are tried: lines before chains, chains before tool calls. */
	readonly remedies: readonly Remedy[];
	/** Errors that no edit of the file can mend, with the reason, for its user. */
	readonly hopeless: { readonly [rule: string]: string };
	/** How its files are edited. Default: as lines. */
	edits?(file: RepairFile): Edits;
}

export interface Remedy {
	readonly rules: readonly string[];
	/** One sentence for the documentation. */
	readonly does: string;
	/** The version that alone stumbles over it: mended only when repair is asked for that version. */
	readonly only?: string;
	/** Problems that no rule tells, because only an option makes them one. */
	find?(file: RepairFile): readonly Problem[];
	/** Changes nothing where it cannot help. */
	mend(edits: Edits, problems: readonly Problem[]): void;
}

export interface RepairFile {
	readonly bytes: Uint8Array;
	/** Every record, blank lines and separators included: `lines[n].index` is `n`. */
	readonly lines: readonly Line[];
	readonly options: RepairOptions;
}

export interface RepairOptions {
	/** The session's id, as the file's name tells it. */
	readonly id: string;
	/** For a session that states no time at all. */
	readonly time: string;
	/** The folder of the project, where the file does not name it. */
	readonly cwd: string;
	/** Also mend what only this version of the client stumbles over. */
	readonly client?: string;
	/** What becomes of all thinking: for a session whose signatures the model no longer takes. */
	readonly thinking?: 'text' | 'drop';
}

/** A broken rule, as validation or a remedy's own `find` tells it. */
export interface Problem {
	readonly rule: string;
	/** The record; -1 for the file as a whole. */
	readonly index: number;
	readonly path: string;
}

/** Other bytes in place of some. */
export interface Splice {
	readonly at: number;
	readonly remove: number;
	readonly insert: Uint8Array;
}

/** Why something is changed, and what is lost by it. */
export interface Note {
	readonly rule: string;
	readonly what: string;
	/** At the place that is changed, unless it names another. */
	readonly lost?: { readonly path?: string; readonly how: Loss['how']; readonly note: string };
	/** The name without which the client does not find the file. */
	readonly name?: string;
}

export interface PlacedNote extends Note {
	readonly lost?: Omit<Loss, 'entry'>;
	/** Where, in the bytes that are mended. */
	readonly at: number;
	/** The id of what is changed, where it has one. */
	readonly entry?: string;
}

export interface Mended {
	/** By position, and none overlaps another. */
	readonly splices: readonly Splice[];
	readonly notes: readonly PlacedNote[];
}

interface Work {
	/** Undefined: taken out. */
	bytes: Uint8Array | undefined;
	readonly before: Uint8Array[];
	readonly after: Uint8Array[];
}

/** Collects changes of single records; the rest of the file keeps its bytes. */
export class Edits {
	readonly file: RepairFile;
	protected readonly work = new Map<number, Work>();
	private readonly notes: PlacedNote[] = [];
	private whole: readonly Splice[] | undefined;

	constructor(file: RepairFile) {
		this.file = file;
	}

	/** The record as it is after the changes so far; undefined when it was taken out or is no object. */
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

	/** Puts a value that is written already. */
	setText(index: number, path: Path, text: string, note: Note): void {
		this.change(index, (bytes) => withText(bytes, path, text), note, path);
	}

	cut(index: number, path: Path, note: Note): void {
		this.change(index, (bytes) => withoutValue(bytes, path), note, path);
	}

	/** Other bytes for the whole record, line ending included. */
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

	/** A record as this file writes it. */
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

	/** Other bytes for the file as a whole, in place of changes of records. */
	spliceFile(splices: readonly Splice[]): void {
		this.whole = splices;
	}

	done(): Mended {
		return { splices: this.whole ?? this.splices(), notes: this.notes };
	}

	/** For lines. A document has separators to look after. */
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

/** `message.content[0].id`, from its steps. */
function textOfPath(path: Path): string {
	const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
	return steps.join('').replace(/^\./, '');
}

/** The note of a change that costs something. */
export function lossNote(rule: string, what: string, how: Loss['how'], note: string, path?: string): Note {
	return { rule, what, lost: { ...(path === undefined ? {} : { path }), how, note } };
}

/** The note of something that goes. */
export function removal(rule: string, thing: string): Note {
	return lossNote(rule, `took out ${thing}`, 'dropped', thing);
}

const newline = 10;

function ended(bytes: Uint8Array): Uint8Array {
	return bytes.at(-1) === newline ? bytes : Buffer.concat([bytes, Uint8Array.of(newline)]);
}

/** `value` is the record as it was before this remedy; absent where that is no object. */
type MendOne = (edits: Edits, problem: Problem, value: JsonObject | undefined) => void;

/** For problems that are mended one by one. */
export function each(mend: MendOne): Remedy['mend'] {
	return (edits, problems) => {
		for (const problem of problems) mend(edits, problem, edits.file.lines[problem.index]?.value);
	};
}

/** For records that are mended once, however many problems they have: the first is told. */
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

/** Text that stands for a value where only text may stand. */
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
