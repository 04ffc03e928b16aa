/** Finds files that were read again later: once 64 KB are stale, Cline replaces the older contents by a remark. */
import { arrayAt, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { parseJson } from '../../shared/read/parse.ts';
import { shortResult, shortTexts } from './truncate.ts';
import type { Turn } from './turns.ts';

const outdated = '[outdated - see the latest file content]';
/** How many bytes must be stale: each change of the history invalidates the provider's cache. */
const worthwhile = 65_536;
const readTools = new Set(['read', 'read_files']);

/** A file, or a range of its lines. */
interface ReadRange {
	readonly path: string;
	readonly first: number | null;
	readonly last: number | null;
}

/** Ranges by key, each with its path. */
type Keys = ReadonlyMap<string, string>;

/** For each tool call the ranges in its result that are replaced. */
export type Stale = ReadonlyMap<Json | undefined, Keys>;

/** What is stale in these turns. Anything in `before`, from the whole history, stays stale. */
export function staleReads(turns: readonly Turn[], before?: Stale): Stale {
	const reads = indexReads(turns);
	const found = new Map<Json | undefined, Map<string, string>>();
	const fresh = new Map<Json | undefined, Map<string, string>>();
	let bytes = 0;
	for (const block of results(turns)) {
		const call = block.tool_use_id;
		const known = before?.get(call);
		const added = new Map<string, string>();
		for (const place of reads.stale(block)) {
			const key = keyOf(place);
			if (known?.has(key)) into(found, call).set(key, place.path);
			else added.set(key, place.path);
		}
		if (added.size === 0) continue;
		for (const [key, path] of added) into(fresh, call).set(key, path);
		bytes += staleBytes(block.content, added);
	}
	if (bytes >= worthwhile)
		for (const [call, keys] of fresh) for (const [key, path] of keys) into(found, call).set(key, path);
	return found;
}

function into(map: Map<Json | undefined, Map<string, string>>, call: Json | undefined): Map<string, string> {
	const keys = map.get(call) ?? new Map<string, string>();
	map.set(call, keys);
	return keys;
}

function* results(turns: readonly Turn[]): Iterable<JsonObject> {
	for (const turn of turns) for (const { block } of turn.parts) if (block.type === 'tool_result') yield block;
}

interface Reads {
	/** The ranges in a result that a later read replaced; empty for other tools and failed calls. */
	stale(block: JsonObject): readonly ReadRange[];
}

function indexReads(turns: readonly Turn[]): Reads {
	const names = new Map<Json | undefined, string>();
	const asked = new Map<Json | undefined, readonly ReadRange[]>();
	const latest = new Map<string, Json | undefined>();
	/** What holds the whole of a file: a call, or the message that it is attached to. */
	const owners = new Map<string, Json | undefined | Turn>();
	const places = (block: JsonObject): readonly ReadRange[] => {
		const name = names.get(block.tool_use_id) ?? stringAt(block, 'name')?.toLowerCase() ?? '';
		if (!readTools.has(name) || block.is_error === true) return [];
		const own = placesIn(block.content);
		return own.length > 0 ? own : (asked.get(block.tool_use_id) ?? []);
	};
	const visit = (block: JsonObject, turn: Turn): void => {
		if (block.type === 'file') owners.set(String(block.path), turn);
		else if (block.type === 'tool_use') {
			const name = String(block.name).toLowerCase();
			names.set(block.id, name);
			if (readTools.has(name) && isObject(block.input)) asked.set(block.id, placesAsked(block.input));
		} else if (block.type === 'tool_result') {
			for (const place of places(block)) {
				latest.set(keyOf(place), block.tool_use_id);
				if (isWhole(place)) owners.set(place.path, block.tool_use_id);
			}
		}
	};
	for (const turn of turns) for (const { block } of turn.parts) visit(block, turn);
	const isStale = (place: ReadRange, call: Json | undefined): boolean => {
		const owner = owners.get(place.path);
		return (Boolean(owner) && owner !== call) || latest.get(keyOf(place)) !== call;
	};
	return { stale: (block) => places(block).filter((place) => isStale(place, block.tool_use_id)) };
}

function isWhole(place: ReadRange): boolean {
	return place.first === null && place.last === null;
}

function keyOf(place: ReadRange): string {
	return isWhole(place) ? place.path : `${place.path}:${place.first ?? 1}-${place.last ?? 'EOF'}`;
}

function distinct(places: readonly (ReadRange | undefined)[]): readonly ReadRange[] {
	const unique = new Map<string, ReadRange>();
	for (const place of places) if (place) unique.set(keyOf(place), place);
	return [...unique.values()];
}

function placesAsked(input: JsonObject): readonly ReadRange[] {
	const paths = (arrayAt(input, 'file_paths') ?? []).filter((path) => typeof path === 'string' && path !== '');
	return distinct([
		requested(input),
		...(arrayAt(input, 'files') ?? []).map(requested),
		...paths.map((path) => ({ path: String(path), first: null, last: null })),
	]);
}

function requested(value: Json): ReadRange | undefined {
	if (!isObject(value)) return undefined;
	const path = [value.path, value.file_path, value.filePath].find((one) => typeof one === 'string' && one !== '');
	return typeof path === 'string' ? { path, first: lineAt(value.start_line), last: lineAt(value.end_line) } : undefined;
}

function lineAt(value: Json | undefined): number | null {
	return Number.isInteger(value) ? (value as number) : null;
}

/** The range of an item in a result: `/path`, or `/path:3-9` in its query. */
function placeOf(item: Json): ReadRange | undefined {
	if (!isObject(item)) return undefined;
	const query = stringAt(item, 'query');
	return requested(item) ?? (query ? queried(query) : undefined);
}

function queried(query: string): ReadRange {
	const lines = /^(.*):(\d+)-(EOF|\d+)$/.exec(query);
	if (!lines) return { path: query, first: null, last: null };
	return {
		path: lines[1] as string,
		first: Number(lines[2]),
		last: lines[3] === 'EOF' ? null : Number(lines[3]),
	};
}

function placesIn(content: Json | undefined): readonly ReadRange[] {
	if (typeof content === 'string') return distinct(itemsOf(content)?.map(placeOf) ?? []);
	const parts: readonly Json[] = Array.isArray(content) ? content : [];
	return distinct(
		parts.flatMap((part) => {
			const text = textOf(part);
			return text === undefined ? [isData(part) ? placeOf(part) : undefined] : (itemsOf(text)?.map(placeOf) ?? []);
		}),
	);
}

/** The items in a text that is a JSON list; undefined for any other text. */
function itemsOf(text: string): readonly Json[] | undefined {
	const value = parseJson(text);
	if (value === undefined) return undefined;
	return Array.isArray(value) ? value : [value];
}

function textOf(part: Json): string | undefined {
	return isObject(part) && part.type === 'text' ? stringAt(part, 'text') : undefined;
}

/** True for an object that is no text, image or file, as native tools return. */
function isData(part: Json): boolean {
	return isObject(part) && part.type !== 'text' && part.type !== 'image' && part.type !== 'file';
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

function staleBytes(content: Json | undefined, keys: Keys): number {
	const all = placesIn(content);
	const whole = all.every((place) => keys.has(keyOf(place)));
	const ofItem = (item: Json): number => (isStaleItem(item, keys) ? bytesOf(JSON.stringify(shortTexts(item))) : 0);
	const ofText = (text: string): number => {
		const items = itemsOf(text);
		if (!items) return whole ? bytesOf(shortResult(text)) : 0;
		return items.reduce<number>((sum, item) => sum + ofItem(item), 0);
	};
	if (typeof content === 'string') return ofText(content);
	const parts: readonly Json[] = Array.isArray(content) ? content : [];
	let images = staleImages(parts, keys);
	return parts.reduce<number>((sum, part) => {
		const text = textOf(part);
		if (text !== undefined) return sum + ofText(text);
		if (isData(part)) return sum + ofItem(part);
		if (!isObject(part)) return sum;
		if (part.type === 'file')
			return sum + (keys.has(String(part.path)) ? bytesOf(shortResult(String(part.content))) : 0);
		if (images === 0) return sum;
		images -= 1;
		return sum + bytesOf(stringAt(part, 'data') ?? '');
	}, 0);
}

function isStaleItem(item: Json, keys: Keys): item is JsonObject {
	const place = placeOf(item);
	return place !== undefined && keys.has(keyOf(place));
}

/** Images follow the texts that announce them, so they are counted and replaced in order. */
function staleImages(parts: readonly Json[], keys: Keys): number {
	const read = 'Successfully read image';
	const items = parts.flatMap((part) => itemsOf(textOf(part) ?? '') ?? []);
	return items.filter((item) => isStaleItem(item, keys) && (item.result === read || item.content === read)).length;
}

/** The content of a result without its stale parts. */
export function withoutStale(content: Json | undefined, keys: Keys): Json | undefined {
	if (typeof content === 'string') return replacedText(content, keys);
	if (!Array.isArray(content)) return content;
	const parts: readonly Json[] = content;
	const paths = new Set(keys.values());
	let images = staleImages(parts, keys);
	return parts.map((part) => {
		if (!isObject(part)) return part;
		const text = textOf(part);
		if (text !== undefined) return { ...part, text: replacedText(text, keys) };
		if (isData(part)) return replaced(part, keys);
		// A file that is attached as a whole is stale as soon as any of its lines is.
		if (part.type === 'file') return paths.has(String(part.path)) ? { ...part, content: outdated } : part;
		if (images === 0) return part;
		images -= 1;
		return { type: 'text', text: outdated };
	});
}

function replacedText(text: string, keys: Keys): string {
	const value = parseJson(text);
	if (value === undefined) return outdated;
	const next = Array.isArray(value) ? value.map((item: Json) => replaced(item, keys)) : replaced(value, keys);
	return JSON.stringify(next);
}

function replaced(item: Json, keys: Keys): Json {
	if (!isStaleItem(item, keys)) return item;
	const where = typeof item.result !== 'string' && typeof item.content === 'string' ? 'content' : 'result';
	return { ...item, [where]: outdated };
}
