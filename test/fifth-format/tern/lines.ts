/** The lines of a Tern session. */
import { isObject, type Json, type JsonObject } from '../../model/index.ts';

export type Kind = 'open' | 'say' | 'reply' | 'title';

const kinds: ReadonlySet<Json | undefined> = new Set<Kind>(['open', 'say', 'reply', 'title']);

/** The kind of a line; undefined for a line of a kind that nobody knows. */
export function kindOf({ tern }: JsonObject): Kind | undefined {
	return kinds.has(tern) ? (tern as Kind) : undefined;
}

/** No other format has a field of this name. */
export function claims(value: Json): string | undefined {
	return isObject(value) && typeof value.tern === 'string' ? 'tern' : undefined;
}

/** The objects among the parts of a line. */
export function partsOf({ parts }: JsonObject): readonly JsonObject[] {
	return Array.isArray(parts) ? parts.filter(isObject) : [];
}
