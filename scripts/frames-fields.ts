/** The fields of a shape, as the page about frames has them: `?` stands behind those that may be missing. */
import type { z } from 'zod';

export function fieldsOf(shape: z.ZodRawShape): string {
	const fields = Object.entries(shape as { readonly [field: string]: z.ZodType });
	return fields.map(([field, schema]) => (schema.safeParse(undefined).success ? `${field}?` : field)).join(', ');
}
