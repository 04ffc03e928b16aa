/** Pictures that stand somewhere inside a tool's structured answer. Cline takes them out when it sends the answer, and so does everybody else. */
import { isObject, type Json, type JsonObject, type MediaBlock } from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';

/** What stands where a picture was. */
const instead = '[image attached]';

/**
 * The answer without its pictures, which are added to `found`. A value that is nested too deeply for anybody to write stays as it is.
 */
export function withoutPictures(
	value: Json,
	found: MediaBlock[],
	pictureOf: (value: JsonObject) => MediaBlock | undefined,
): Json {
	return hasPicture(value) && !isDeep(value) ? stripped(value, found, pictureOf) : value;
}

/** Without recursion: answers come from anywhere. */
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
