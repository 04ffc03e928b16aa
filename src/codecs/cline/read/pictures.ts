/** Takes pictures out of a tool's structured result, as Cline does when it sends the result. */
import { isObject, type Json, type JsonObject, type MediaBlock } from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';

/** The text that replaces a picture. */
const instead = '[image attached]';

/**
 * The result without its pictures, which are added to `found`. A value nested too deeply to be written stays as it is.
 */
export function withoutPictures(
	value: Json,
	found: MediaBlock[],
	pictureOf: (value: JsonObject) => MediaBlock | undefined,
): Json {
	return hasPicture(value) && !isDeep(value) ? stripped(value, found, pictureOf) : value;
}

/** True where a picture is inside. Without recursion, because results may be nested deeply. */
function hasPicture(value: Json): boolean {
	const left: Json[] = [value];
	for (let one = left.pop(); one !== undefined; one = left.pop()) {
		if (typeof one !== 'object' || one === null) continue;
		if (isPicture(one)) return true;
		for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) left.push(inner);
	}
	return false;
}

function isPicture(value: Json): value is JsonObject {
	return isObject(value) && value.type === 'image' && (typeof value.data === 'string' || isObject(value.source));
}

function stripped(value: Json, found: MediaBlock[], pictureOf: (value: JsonObject) => MediaBlock | undefined): Json {
	if (typeof value !== 'object' || value === null) return value;
	const picture = isPicture(value) ? pictureOf(value) : undefined;
	if (picture) {
		found.push(picture);
		return instead;
	}
	if (Array.isArray(value)) return value.map((item: Json) => stripped(item, found, pictureOf));
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key, stripped(item ?? null, found, pictureOf)]),
	);
}
