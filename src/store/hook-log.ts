/** A log of what a run does, for those who watch it: nothing depends on it, so nothing fails because of it. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Codec } from '../codecs/index.ts';
import type { JsonObject, Profile } from '../model/index.ts';

export class HookLog {
	readonly #file: string | undefined;
	#works = true;

	constructor(codec: Codec, path: string, profile: Profile) {
		const relative = codec.live.hookLog?.(resolve(path), profile);
		this.#file = relative === undefined ? undefined : join(dirname(resolve(path)), relative);
	}

	/** One line. A disk that takes none is not asked again. */
	add(line: JsonObject): void {
		if (this.#file === undefined || !this.#works) return;
		try {
			mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
			appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			this.#works = false;
		}
	}
}
