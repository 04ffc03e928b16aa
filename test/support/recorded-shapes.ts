/** The shapes of frames, derived from what was recorded: the fields that all frames of a kind have, and the types that they were seen with. */
import { familyOf } from '../../src/frames/parse.ts';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';

export interface Shape {
	count: number;
	readonly seen: Map<string, { count: number; readonly types: Set<string> }>;
}

/** A kind of frame and its fields: of a request its body, of an answer what it holds, by the request that it answers. */
export interface Sorted {
	readonly kind: string;
	readonly fields: JsonObject;
}

export function sorted(frame: JsonObject, requests: ReadonlyMap<string, JsonObject>): readonly Sorted[] {
	if (frame.type === 'control_response' && isObject(frame.response)) {
		const { subtype, request_id: id, response } = frame.response;
		const asked = requests.get(String(id))?.subtype;
		if (asked === undefined) return [];
		if (subtype === 'error') return [{ kind: 'refusal', fields: frame.response }];
		return [{ kind: `answer to ${String(asked)}`, fields: isObject(response) ? response : {} }];
	}
	if (frame.type === 'control_request' && isObject(frame.request)) return asRequest(frame.request);
	const family = familyOf(frame);
	if (family === undefined) return [];
	const kind = family === 'result' ? `result ${String(frame.subtype)}` : family;
	return [{ kind: family === 'user' && frame.isReplay === true ? 'user again' : kind, fields: frame }];
}

export function asRequest(request: JsonObject): readonly Sorted[] {
	const { subtype, input } = request;
	if (subtype !== 'hook_callback' || !isObject(input)) return [{ kind: `request ${String(subtype)}`, fields: request }];
	return [
		{ kind: 'request hook_callback', fields: request },
		{ kind: `hook ${String(input.hook_event_name)}`, fields: input },
	];
}

export function learn(shapes: Map<string, Shape>, { kind, fields }: Sorted): void {
	const shape = shapes.get(kind) ?? { count: 0, seen: new Map() };
	shapes.set(kind, shape);
	shape.count += 1;
	for (const [key, value] of Object.entries(fields)) {
		const known = shape.seen.get(key) ?? { count: 0, types: new Set<string>() };
		shape.seen.set(key, known);
		known.count += 1;
		known.types.add(typeOf(value));
	}
}

/** What is missing in ours, or has another type than it was ever seen with. */
export function misfits(shapes: ReadonlyMap<string, Shape>, { kind, fields }: Sorted): readonly string[] {
	const shape = shapes.get(kind);
	if (!shape) return [];
	const missing = [...shape.seen].filter(([key, { count }]) => count === shape.count && fields[key] === undefined);
	const odd = Object.entries(fields).filter(([key, value]) => {
		const types = shape.seen.get(key)?.types;
		return types !== undefined && !types.has(typeOf(value)) && !(types.has('null') && value !== undefined);
	});
	return [
		...missing.map(([key]) => `${kind}: ${key} is missing`),
		...odd.map(([key]) => `${kind}: the type of ${key}`),
	];
}

function typeOf(value: Json | undefined): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}
