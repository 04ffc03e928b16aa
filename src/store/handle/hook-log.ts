/** Writes a log of what a run does, for people who watch it. Nothing depends on it, so its failures are ignored. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Codec, HookLogRules, Observed } from '../../codecs/index.ts';
import type { Profile } from '../../model/index.ts';

export class HookLog {
	readonly #rules: HookLogRules | undefined;
	readonly #file: string | undefined;
	#works = true;

	constructor(codec: Codec, path: string, profile: Profile) {
		this.#rules = codec.live.hookLog;
		const relative = this.#rules?.place(resolve(path), profile);
		this.#file = relative === undefined ? undefined : join(dirname(resolve(path)), relative);
	}

	/** Adds one line. After the first failure nothing more is tried. */
	add(session: string, observed: Observed): void {
		if (!this.#rules || this.#file === undefined || !this.#works) return;
		const line = this.#rules.line(session, new Date().toISOString(), observed);
		try {
			mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
			appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			this.#works = false;
		}
	}
}
