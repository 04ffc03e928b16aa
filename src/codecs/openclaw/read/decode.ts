/** Decodes files of pi and OpenClaw in every dialect: which line follows which, and what the header takes from them. `lines.ts` has what a line means. */
import {
	compact,
	type Entry,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	numberAt,
	type Settings,
	stringAt,
} from '../../../model/index.ts';
import type { DecodeSink, LineDecoder } from '../../codec.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import type { Line } from '../../shared/read/line.ts';
import { reportLine } from '../check/rules.ts';
import { type Dialect, dialectOf, isBareLine, isLineType } from '../lines.ts';
import { type LinePlace, messageEntry, opaque, readLine, spentBy } from './lines.ts';
import { keep, timeOf } from './values.ts';

/** Where parsed lines and line numbers drift apart: from the entry with this index on. */
type Drift = readonly [index: number, line: number];

interface State {
	readonly dialect?: Dialect;
	readonly header: boolean;
	/** The line that the next one follows in version 1 and bare files. */
	readonly last: string | null;
	/** The last bare line of a file with a header. */
	readonly bare: string | null;
	/** The line that OpenClaw lets a line without a parent follow. */
	readonly leaf: string | null;
	/** The number of parsed lines so far, the header included. */
	readonly count: number;
	readonly drifts: readonly Drift[];
	readonly model?: string;
	readonly provider?: string;
	readonly titled: boolean;
}

const start: State = { header: false, last: null, bare: null, leaf: null, count: 0, drifts: [], titled: false };

/** How many gaps by blank and broken lines are remembered for a compaction that counts lines. */
const keptDrifts = 256;

export function decoder(from?: Json): LineDecoder {
	return new PiDecoder(from);
}

class PiDecoder implements LineDecoder {
	readonly #state: { -readonly [K in keyof State]: State[K] };

	constructor(from?: Json) {
		this.#state = { ...(isState(from) ? from : start) };
	}

	state(): Json {
		return { ...this.#state } as unknown as Json;
	}

	visit(line: Line, sink: DecodeSink): string {
		reportLine(line, sink.issue);
		if (line.value === undefined) {
			// pi counts every value that is truthy in JavaScript.
			if (line.other) this.#count(line);
			return '';
		}
		this.#count(line);
		if (line.value.type === 'session') return this.#header(line, line.value, sink);
		if (this.#state.dialect === undefined) this.#setDialect(firstDialect(line.value), sink);
		return this.#record(line, line.value, sink);
	}

	#record(line: Line, value: JsonObject, sink: DecodeSink): string {
		const type = stringAt(value, 'type');
		const bare = type === undefined && isBareLine(value);
		const place: LinePlace = {
			id: this.#idOf(value, line),
			parent: this.#parentOf(value, bare),
			time: timeOf(value, isObject(value.message) ? value.message : undefined),
			record: line.index,
			keptFrom: (index) => this.#lineAt(index),
		};
		if (this.#state.dialect === 'v3' && isOpenClaws(value)) this.#setDialect('openclaw-v3', sink);
		const entry = entryFrom(type, bare, value, place);
		sink.entry(entry);
		const spent = type === undefined ? undefined : spentBy(type, value, place);
		if (spent) sink.entry(spent);
		this.#state.last = place.id;
		if (bare) this.#state.bare = place.id;
		else this.#moveLeaf(entry, value);
		this.#patchHeader(entry, sink);
		return type ?? (bare ? (stringAt(value, 'role') ?? '') : '');
	}

	#count(line: Line): void {
		const last = this.#state.drifts.at(-1);
		const expected = last === undefined ? this.#state.count + 1 : last[1] + this.#state.count - last[0];
		if (line.line !== expected && this.#state.drifts.length < keptDrifts) {
			this.#state.drifts = [...this.#state.drifts, [this.#state.count, line.line]];
		}
		this.#state.count += 1;
	}

	#lineAt(index: number): string | undefined {
		if (!Number.isInteger(index) || index < 0 || index >= this.#state.count) return undefined;
		let [from, at] = [0, 1];
		for (const drift of this.#state.drifts) if (drift[0] <= index) [from, at] = drift;
		return `line:${at + index - from}`;
	}

	#setDialect(dialect: Dialect, sink: DecodeSink): void {
		this.#state.dialect = dialect;
		sink.header({ dialect });
	}

	#header(line: Line, value: JsonObject, sink: DecodeSink): string {
		const first = !this.#state.header;
		this.#state.header = true;
		const dialect = dialectOf(value.version);
		if (first) {
			this.#setDialect(dialect, sink);
			sink.header(headerPatch(value));
		}
		for (const entry of startEntries(value, line)) {
			sink.entry(entry);
			if (first) this.#patchHeader(entry, sink);
		}
		return 'session';
	}

	#idOf(value: JsonObject, line: Line): string {
		const own = value.id;
		// Version 1 has no ids; pi gives new ones even where a line has one.
		if (this.#state.dialect !== 'v1' && typeof own === 'string' && own !== '' && value.type !== undefined) return own;
		return `line:${line.line}`;
	}

	#parentOf(value: JsonObject, bare: boolean): string | null {
		if (this.#state.dialect === 'v1') return this.#state.last;
		if (bare) return this.#state.dialect === 'bare' ? this.#state.last : this.#state.bare;
		const parent = value.parentId;
		if (typeof parent === 'string' && parent !== '') return parent;
		if (parent !== undefined) return null;
		if (this.#state.dialect === 'bare') return this.#state.last;
		return this.#state.dialect === 'openclaw-v3' || this.#state.dialect === 'v4' ? this.#state.leaf : null;
	}

	#moveLeaf(entry: Entry, value: JsonObject): void {
		if (entry.kind === 'leaf') this.#state.leaf = entry.target;
		else if (value.appendMode !== 'side' && isLineType(stringAt(value, 'type') ?? '')) this.#state.leaf = entry.id;
	}

	/** Updates the header from an entry that changes the title, the model or the like. */
	#patchHeader(entry: Entry, sink: DecodeSink): void {
		if (entry.kind === 'setting') {
			const { title } = entry.set;
			if (title) {
				this.#state.titled = true;
				sink.header({ title });
			} else if (title === null && this.#state.titled) {
				this.#state.titled = false;
				sink.header({ title: '' });
			}
			this.#patchModel(entry.set, sink);
		} else if (entry.kind === 'message' && entry.response) this.#patchModel(entry.response, sink);
	}

	#patchModel(set: Pick<Settings, 'model' | 'provider'>, sink: DecodeSink): void {
		if (set.model !== undefined && set.model !== this.#state.model) {
			this.#state.model = set.model;
			sink.header({ model: set.model });
		}
		if (set.provider !== undefined && set.provider !== this.#state.provider) {
			this.#state.provider = set.provider;
			sink.header({ provider: set.provider });
		}
	}
}

function entryFrom(type: string | undefined, bare: boolean, value: JsonObject, place: LinePlace): Entry {
	if (bare) return messageEntry(value, place);
	return type === undefined ? opaque('', value, place) : readLine(type, value, place);
}

function isState(value: Json | undefined): value is Json & State {
	return isObject(value) && typeof value.count === 'number' && Array.isArray(value.drifts);
}

/** The dialect of a file without a header. No client takes it, but its lines show how they are linked. */
function firstDialect(value: JsonObject): Dialect {
	if (isBareLine(value)) return 'bare';
	return typeof value.id === 'string' ? 'v3' : 'v1';
}

/** True for marks that only OpenClaw's session manager leaves. */
function isOpenClaws(value: JsonObject): boolean {
	if (value.type === 'leaf' || value.type === 'reset' || value.appendMode !== undefined) return true;
	if (value.type === 'custom') {
		return value.customType === 'model-snapshot' || (stringAt(value, 'customType')?.startsWith('openclaw.') ?? false);
	}
	return isObject(value.message) && value.message.__openclaw !== undefined;
}

const headerFields = new Set(['type', 'version', 'id', 'timestamp', 'cwd', 'parentSession', 'branchedFrom']);

function headerPatch(value: JsonObject): Header {
	const parent = stringAt(value, 'parentSession') ?? stringAt(value, 'branchedFrom');
	return compact({
		version: typeof value.version === 'number' ? String(value.version) : '1',
		id: stringAt(value, 'id'),
		cwd: stringAt(value, 'cwd'),
		created: timeOf(value),
		from: parent === undefined ? undefined : { how: 'fork' as const, session: parent },
		extra: leftovers(value, headerFields),
	});
}

const startFields = new Set(['type', 'version', 'id', 'timestamp', 'cwd', 'parentSession']);

/** The header as an entry; the oldest headers also name the first model and thinking level. */
function startEntries(value: JsonObject, line: Line): readonly Entry[] {
	const base = { records: [line.index], ...compact({ time: timeOf(value) }) };
	const rest = leftovers(value, startFields);
	const first: Entry = {
		...base,
		id: `line:${line.line}`,
		kind: 'start',
		session: stringAt(value, 'id') ?? '',
		...compact({
			version: numberAt(value, 'version'),
			cwd: stringAt(value, 'cwd'),
			parentSession: stringAt(value, 'parentSession') ?? stringAt(value, 'branchedFrom'),
			extra: rest && keep({ line: rest }),
		}),
	};
	const model = stringAt(value, 'modelId') ?? stringAt(value, 'model');
	const thinking = stringAt(value, 'thinkingLevel');
	if (model === undefined && thinking === undefined) return [first];
	const set: Settings = compact({ model, provider: stringAt(value, 'provider'), thinking });
	return [first, { ...base, id: `line:${line.line}:settings`, kind: 'setting', set }];
}
