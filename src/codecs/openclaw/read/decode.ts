/** Reads pi's and OpenClaw's lines into entries, one after the other, in every dialect. */
import {
	type Entry,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	type Settings,
	stringAt,
} from '../../../model/index.ts';
import type { DecodeSink, LineDecoder } from '../../codec.ts';
import type { Line } from '../../shared/read/line.ts';
import { reportLine } from '../check/flaw-effects.ts';
import { type Dialect, dialectOf, isBareLine, isLineType } from '../lines.ts';
import { messageEntry, opaque, type Place, readLine, spentBy } from './lines.ts';
import { keep, restOf, timeOf } from './values.ts';

/** Where in the file parsed lines and line numbers drift apart: from the entry with this index on. */
type Drift = readonly [index: number, line: number];

interface State {
	readonly dialect?: Dialect;
	readonly header: boolean;
	/** The last line that version 1 and bare files would link the next one to. */
	readonly last: string | null;
	/** The last bare line of a file that has a header. */
	readonly bare: string | null;
	/** Where OpenClaw hangs a line that names no parent. */
	readonly leaf: string | null;
	/** Parsed lines so far, the header included. */
	readonly count: number;
	readonly drifts: readonly Drift[];
	readonly model?: string;
	readonly provider?: string;
	readonly titled: boolean;
}

const start: State = { header: false, last: null, bare: null, leaf: null, count: 0, drifts: [], titled: false };

/** A file with more blank and broken lines than this before a compaction is not worth counting through. */
const keptDrifts = 256;

export function decoder(from?: Json): LineDecoder {
	const state: { -readonly [K in keyof State]: State[K] } = { ...(isState(from) ? from : start) };

	function visit(line: Line, sink: DecodeSink): string {
		reportLine(line, sink.issue);
		if (line.value === undefined) {
			// pi counts every value that is true in JavaScript.
			if (line.other) count(line);
			return '';
		}
		count(line);
		if (line.value.type === 'session') return header(line, line.value, sink);
		if (state.dialect === undefined) setDialect(firstDialect(line.value), sink);
		return record(line, line.value, sink);
	}

	function record(line: Line, value: JsonObject, sink: DecodeSink): string {
		const type = stringAt(value, 'type');
		const bare = type === undefined && isBareLine(value);
		const place: Place = {
			id: idOf(value, line),
			parent: parentOf(value, bare),
			time: timeOf(value, isObject(value.message) ? value.message : undefined),
			record: line.index,
			keptFrom: (index) => lineAt(index),
		};
		if (state.dialect === 'v3' && isOpenClaws(value)) setDialect('openclaw-v3', sink);
		const entry = entryFrom(type, bare, value, place);
		sink.entry(entry);
		const spent = type === undefined ? undefined : spentBy(type, value, place);
		if (spent) sink.entry(spent);
		state.last = place.id;
		if (bare) state.bare = place.id;
		else moveLeaf(entry, value);
		patchHeader(entry, sink);
		return type ?? (bare ? (stringAt(value, 'role') ?? '') : '');
	}

	function count(line: Line): void {
		const last = state.drifts.at(-1);
		const expected = last === undefined ? state.count + 1 : last[1] + state.count - last[0];
		if (line.line !== expected && state.drifts.length < keptDrifts) {
			state.drifts = [...state.drifts, [state.count, line.line]];
		}
		state.count += 1;
	}

	function lineAt(index: number): string | undefined {
		if (!Number.isInteger(index) || index < 0 || index >= state.count) return undefined;
		let [from, at] = [0, 1];
		for (const drift of state.drifts) if (drift[0] <= index) [from, at] = drift;
		return `line:${at + index - from}`;
	}

	function setDialect(dialect: Dialect, sink: DecodeSink): void {
		state.dialect = dialect;
		sink.header({ dialect });
	}

	function header(line: Line, value: JsonObject, sink: DecodeSink): string {
		const first = !state.header;
		state.header = true;
		const dialect = dialectOf(value.version);
		if (first) {
			setDialect(dialect, sink);
			sink.header(headerPatch(value));
		}
		for (const entry of startEntries(value, line)) {
			sink.entry(entry);
			if (first) patchHeader(entry, sink);
		}
		return 'session';
	}

	function idOf(value: JsonObject, line: Line): string {
		const own = value.id;
		// Version 1 has no ids; pi gives new ones even where a line has one.
		if (state.dialect !== 'v1' && typeof own === 'string' && own !== '' && value.type !== undefined) return own;
		return `line:${line.line}`;
	}

	function parentOf(value: JsonObject, bare: boolean): string | null {
		if (state.dialect === 'v1') return state.last;
		if (bare) return state.dialect === 'bare' ? state.last : state.bare;
		const parent = value.parentId;
		if (typeof parent === 'string' && parent !== '') return parent;
		if (parent !== undefined) return null;
		if (state.dialect === 'bare') return state.last;
		return state.dialect === 'openclaw-v3' || state.dialect === 'v4' ? state.leaf : null;
	}

	function moveLeaf(entry: Entry, value: JsonObject): void {
		if (entry.kind === 'leaf') state.leaf = entry.target;
		else if (value.appendMode !== 'side' && isLineType(stringAt(value, 'type') ?? '')) state.leaf = entry.id;
	}

	/** What the session is about changes with its entries: the header follows them. */
	function patchHeader(entry: Entry, sink: DecodeSink): void {
		if (entry.kind === 'setting') {
			const { title } = entry.set;
			if (title) {
				state.titled = true;
				sink.header({ title });
			} else if (title === null && state.titled) {
				state.titled = false;
				sink.header({ title: '' });
			}
			patchModel(entry.set, sink);
		} else if (entry.kind === 'message' && entry.response) patchModel(entry.response, sink);
	}

	function patchModel(set: Pick<Settings, 'model' | 'provider'>, sink: DecodeSink): void {
		if (set.model !== undefined && set.model !== state.model) {
			state.model = set.model;
			sink.header({ model: set.model });
		}
		if (set.provider !== undefined && set.provider !== state.provider) {
			state.provider = set.provider;
			sink.header({ provider: set.provider });
		}
	}

	return { visit, state: () => ({ ...state }) as unknown as Json };
}

function entryFrom(type: string | undefined, bare: boolean, value: JsonObject, place: Place): Entry {
	if (bare) return messageEntry(value, place);
	return type === undefined ? opaque('', value, place) : readLine(type, value, place);
}

function isState(value: Json | undefined): value is Json & State {
	return isObject(value) && typeof value.count === 'number' && Array.isArray(value.drifts);
}

/** A file whose first line is not a header. No client takes it, but its lines say how they are linked. */
function firstDialect(value: JsonObject): Dialect {
	if (isBareLine(value)) return 'bare';
	return typeof value.id === 'string' ? 'v3' : 'v1';
}

/** Marks that only OpenClaw's own session manager leaves. */
function isOpenClaws(value: JsonObject): boolean {
	if (value.type === 'leaf' || value.type === 'reset' || value.appendMode !== undefined) return true;
	if (value.type === 'custom') {
		return value.customType === 'model-snapshot' || (stringAt(value, 'customType')?.startsWith('openclaw.') ?? false);
	}
	return isObject(value.message) && value.message.__openclaw !== undefined;
}

const headerFields = new Set(['type', 'version', 'id', 'timestamp', 'cwd', 'parentSession', 'branchedFrom']);

function headerPatch(value: JsonObject): Header {
	const id = stringAt(value, 'id');
	const cwd = stringAt(value, 'cwd');
	const created = timeOf(value);
	const parent = stringAt(value, 'parentSession') ?? stringAt(value, 'branchedFrom');
	const extra = restOf(value, headerFields);
	return {
		version: typeof value.version === 'number' ? String(value.version) : '1',
		...(id === undefined ? {} : { id }),
		...(cwd === undefined ? {} : { cwd }),
		...(created === undefined ? {} : { created }),
		...(parent === undefined ? {} : { from: { how: 'fork' as const, session: parent } }),
		...(extra === undefined ? {} : { extra }),
	};
}

const startFields = new Set(['type', 'version', 'id', 'timestamp', 'cwd', 'parentSession']);

/** The header as an entry; the oldest ones also name the model and the thinking level that the session began with. */
function startEntries(value: JsonObject, line: Line): readonly Entry[] {
	const time = timeOf(value);
	const base = { records: [line.index], ...(time === undefined ? {} : { time }) };
	const cwd = stringAt(value, 'cwd');
	const parent = stringAt(value, 'parentSession') ?? stringAt(value, 'branchedFrom');
	const rest = restOf(value, startFields);
	const extra = rest === undefined ? undefined : keep({ line: rest });
	const first: Entry = {
		...base,
		id: `line:${line.line}`,
		kind: 'start',
		session: stringAt(value, 'id') ?? '',
		...(typeof value.version === 'number' ? { version: value.version } : {}),
		...(cwd === undefined ? {} : { cwd }),
		...(parent === undefined ? {} : { parentSession: parent }),
		...(extra === undefined ? {} : { extra }),
	};
	const model = stringAt(value, 'modelId') ?? stringAt(value, 'model');
	const provider = stringAt(value, 'provider');
	const thinking = stringAt(value, 'thinkingLevel');
	if (model === undefined && thinking === undefined) return [first];
	const set: Settings = {
		...(model === undefined ? {} : { model }),
		...(provider === undefined ? {} : { provider }),
		...(thinking === undefined ? {} : { thinking }),
	};
	return [first, { ...base, id: `line:${line.line}:settings`, kind: 'setting', set }];
}
