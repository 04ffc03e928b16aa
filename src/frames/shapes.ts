/** Of what the shapes of frames and requests are made: what is named must fit, and whatever else is there may stay. */
import { z } from 'zod';
import { isObject, type Json } from '../model/index.ts';

export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
export const json = z.json();

/** Whatever else is there is of JSON, too: a frame goes wherever one of any family does. */
export const loose = <S extends z.ZodRawShape>(shape: S) => z.object(shape).catchall(z.custom<Json | undefined>());

export const object = loose({});

/** For compilers one of these words. Another one passes: newer clients have more, so that a `default` is never idle. */
export const word = <const W extends string>(...known: readonly W[]) =>
	z.union([z.enum(known), z.custom<never>((value) => typeof value === 'string')]);

const blocks = z.discriminatedUnion('type', [
	loose({ type: z.literal('text'), text }),
	loose({ type: z.literal('thinking'), thinking: text, signature: text.optional() }),
	loose({ type: z.literal('redacted_thinking'), data: text }),
	loose({ type: z.literal('tool_use'), id: text, name: text, input: json }),
	loose({
		type: z.literal('tool_result'),
		tool_use_id: text,
		content: z.union([text, z.array(object)]).optional(),
		is_error: flag.optional(),
	}),
	loose({ type: z.literal('image'), source: object }),
]);
const known = new Set<Json | undefined>(blocks.options.map(({ shape }) => shape.type.value));

/** A block of a message. One of another type passes, as another word does. */
export const block = z.union([blocks, z.custom<never>((value) => isObject(value) && !known.has(value.type))]);
