/** The forms of files that were copied before, by their stat: a project is not read again by the next run. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readIfThere } from '../../log/regular-file.ts';
import { isObject, type JsonObject, parsedJson } from '../../model/index.ts';
import type { Copies } from '../../store/checkpoints/copies.ts';
import { type FileForm, readForm } from '../../store/checkpoints/forms.ts';
import type { Looked } from './project-files.ts';

export class SeenForms {
	readonly #file: string;
	readonly #copies: Copies;
	#known: JsonObject | undefined;
	#saved = '';

	constructor(file: string, copies: Copies) {
		this.#file = file;
		this.#copies = copies;
	}

	/** The form of a file with this stat, where there is still a copy of it. */
	find(path: string, stat: Stats): FileForm | undefined {
		this.#known ??= this.#read();
		const found = Object.hasOwn(this.#known, path) ? this.#known[path] : undefined;
		if (!isObject(found) || found.stat !== stampOf(stat)) return undefined;
		const form = readForm(found.form);
		if (form.is === 'unknown' || (form.is === 'file' && !this.#copies.has(form.sha256))) return undefined;
		return form;
	}

	/** Only what will be recognised: a fresh file is read again anyway. */
	save(files: ReadonlyMap<string, Looked>): void {
		const known: { [path: string]: JsonObject } = {};
		const marks: string[] = [];
		for (const [path, { stat, form, fresh }] of files) {
			if (!form || fresh || form.is === 'unknown') continue;
			const stamp = stampOf(stat);
			known[path] = { stat: stamp, form: form as unknown as JsonObject };
			marks.push(path, stamp);
		}
		const mark = marks.join('\n');
		if (mark === this.#saved) return;
		this.#saved = mark;
		this.#known = known;
		mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
		const temporary = `${this.#file}.${randomBytes(6).toString('hex')}.tmp`;
		writeFileSync(temporary, JSON.stringify(known), { mode: 0o600 });
		renameSync(temporary, this.#file);
	}

	/** It is only ever a shortcut: a damaged one counts as none. */
	#read(): JsonObject {
		const value = parsedJson(readIfThere(this.#file)?.toString('utf8') ?? '');
		return isObject(value) ? value : {};
	}
}

function stampOf({ ino, size, mtimeMs, ctimeMs, mode }: Stats): string {
	return `${ino} ${size} ${mtimeMs} ${ctimeMs} ${mode}`;
}
