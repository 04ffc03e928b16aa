/** From how many levels on (500) a value counts as nested too deeply to be written. */
import type { Json } from '../../../model/index.ts';

const deepest = 500;

/** True for values nested so deeply that serialising them may fail. Without recursion, for the same reason. */
export function isDeep(value: Json): boolean {
	let level: readonly Json[] = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > deepest) return true;
		const next: Json[] = [];
		for (const one of level) {
			if (typeof one !== 'object' || one === null) continue;
			for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner);
		}
		level = next;
	}
	return false;
}
