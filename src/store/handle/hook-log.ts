/** Writes the log that a client keeps of a run's prompts, calls and end, for programs that watch it: never through a link, and no more after the first failure. */
import { appendFileSync, closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Codec, HookLogRules, Observed } from '../../codecs/index.ts';
import { noFollow } from '../../log/calls.ts';
import { codeOf } from '../../log/errors.ts';
import type { Profile } from '../../model/index.ts';

/** A link that somebody has put in the log's place could lead to any file of the user's, and a pipe would never answer. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow | (constants.O_NONBLOCK ?? 0);

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
			const file = openSync(this.#file, appending, 0o600);
			try {
				appendFileSync(file, `${JSON.stringify(line)}\n`);
			} finally {
				closeSync(file);
			}
		} catch (error) {
			if (codeOf(error) === undefined) throw error;
			this.#works = false;
		}
	}
}
