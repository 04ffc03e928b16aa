/** Reads frames of any client: what is known is checked, what is not known passes. */
import type { z } from 'zod';
import { errorText, isObject, type Json, type JsonObject } from '../model/index.ts';
import { type FrameFamily, type FrameOf, frameSchemas } from './schemas.ts';

/** What a line turned out to be. */
export type ParsedFrame =
	| {
			readonly [F in FrameFamily]: { readonly is: 'frame'; readonly family: F; readonly frame: FrameOf<F> };
	  }[FrameFamily]
	/** A family that is not known here: newer clients have more. */
	| { readonly is: 'unknown'; readonly frame: JsonObject }
	/** A known family in an unknown shape. */
	| { readonly is: 'odd'; readonly family: FrameFamily; readonly frame: JsonObject; readonly problem: string }
	/** No frame at all. */
	| { readonly is: 'broken'; readonly problem: string };

/** The family of a frame; undefined for one that is not known here. */
export function familyOf(frame: JsonObject): FrameFamily | undefined {
	const { type, subtype } = frame;
	const request = isObject(frame.request) ? frame.request.subtype : undefined;
	const name = type === 'system' ? subtype : type === 'control_request' ? request : type;
	if (typeof name === 'string' && Object.hasOwn(frameSchemas, name)) return name as FrameFamily;
	return type === 'control_request' ? type : undefined;
}

/** Reads one line, or one value, of a stream of frames. Never throws. */
export function parseFrame(line: string | Json): ParsedFrame {
	let value: Json;
	try {
		value = typeof line === 'string' ? (JSON.parse(line) as Json) : line;
	} catch (error) {
		return { is: 'broken', problem: `this is not JSON: ${errorText(error)}` };
	}
	if (!isObject(value) || typeof value.type !== 'string')
		return { is: 'broken', problem: 'this is not an object with a type' };
	const family = familyOf(value);
	if (family === undefined) return { is: 'unknown', frame: value };
	const schema: z.ZodType = frameSchemas[family];
	const read = schema.safeParse(value);
	if (read.success) return { is: 'frame', family, frame: value } as unknown as ParsedFrame;
	const [issue] = read.error.issues;
	return { is: 'odd', family, frame: value, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}
