/** The store in a folder: files of lines that are only appended to, where its locks and ids are, how long another writer is waited for, and what deleting removes. */
import { readdirSync, rmSync, type Stats, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFiles } from '../../log/atomic.ts';
import { isMissing, LogHeld } from '../../log/errors.ts';
import { openFile } from '../../log/file-source.ts';
import { filesLog } from '../../log/files.ts';
import type { Log, LogWriter } from '../../log/log.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { memorySource } from '../../model/index.ts';
import type { ExactStore, SessionKey, StoredLine, StoredSession } from '../contract.ts';
import { type Backend, exactStore, lineFrom } from '../exact-store.ts';
import { decoded, encoded, ending, fileOf, folderOf, longNames } from './file-names.ts';
import { SeenIds } from './seen-ids.ts';

/** Locks, which ids each transcript holds, and names that are too long for a file. No project is called so: dots of names are encoded. */
const ours = '.reprise';

/** A store in this folder, which is made with the first entry. */
export function filesStore(folder: string): ExactStore {
	return exactStore(new FilesBackend(resolve(folder)));
}

/** So many transcripts are known at once; of any other the ids are read again. */
const mostKnown = 64;
const patienceMs = 60_000;

class FilesBackend implements Backend {
	readonly #root: string;
	readonly #log: Log;
	/** By file, and by which file it is: one that was deleted and made anew has other entries. */
	readonly #known = new Map<string, { readonly file: string; readonly ids: SeenIds }>();

	constructor(root: string) {
		this.#root = root;
		this.#log = filesLog({ locks: join(root, ours, 'locks'), command: 'reprise' });
	}

	async append(key: SessionKey, lines: readonly StoredLine[], written?: number): Promise<void> {
		const name = fileOf(key);
		await using writer = await this.#writer(name);
		const seen = await this.#seen(name);
		const fresh = new Map<string, string>();
		for (const { text, id = seen.idOf(text, (one) => fresh.has(one)) } of lines)
			if (!seen.has(id) && !fresh.has(id)) fresh.set(id, text);
		if (fresh.size === 0) return;
		await this.#keepNames(key);
		const before = this.#stat(name)?.mtimeMs ?? 0;
		const bytes = Buffer.from([...fresh.values()].map((text) => `${text}\n`).join(''));
		let { at: end } = await writer.append(bytes, { durable: true });
		const ids = Array.from(fresh, ([id, text]) => {
			end += Buffer.byteLength(text) + 1;
			return { id, end };
		});
		seen.add(ids);
		// A list goes by the file's own time.
		if (written === undefined) return;
		const time = Math.max(before, Math.min(written, Date.now())) / 1000;
		utimesSync(join(this.#root, name), time, time);
	}

	#stat(name: string): Stats | undefined {
		return statSync(join(this.#root, name), { throwIfNoEntry: false });
	}

	/** Before the transcript, so that whoever finds it finds its name. */
	async #keepNames(key: SessionKey): Promise<void> {
		for (const { path, name } of longNames(key)) {
			const to = this.#nameFile(path);
			if (readIfThere(to) === undefined) await createFiles([{ to, pieces: Buffer.from(name), within: this.#root }]);
		}
	}

	/** Where the name of what lies at this path is, if it is too long for the path. */
	#nameFile(path: string): string {
		return join(this.#root, ours, 'names', `${path}.name`);
	}

	/** The name of a file or folder without its ending; undefined where it is not ours. */
	#nameOf(folder: string, stem: string): string | undefined {
		return decoded(stem) ?? readIfThere(this.#nameFile(join(folder, stem)))?.toString('utf8');
	}

	/** The one writer of a transcript, however many processes append to it: each needs it for milliseconds only. */
	async #writer(name: string): Promise<LogWriter> {
		const started = performance.now();
		for (;;) {
			try {
				return await this.#log.writer(join(this.#root, name), { within: this.#root });
			} catch (error) {
				if (!(error instanceof LogHeld) || performance.now() - started > patienceMs) throw error;
				await pause(2 + Math.random() * 8);
			}
		}
	}

	/** What the transcript holds now. Others may have appended to it, or deleted it, since we did. */
	async #seen(name: string): Promise<SeenIds> {
		const path = join(this.#root, name);
		const file = (await this.#log.stat(path))?.id ?? '';
		const before = this.#known.get(name);
		const ids = before?.file === file ? before.ids : new SeenIds(this.#idsFile(name));
		this.#known.delete(name);
		this.#known.set(name, { file, ids });
		const [oldest] = this.#known.keys();
		if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
		using source = file === '' ? undefined : openFile(path);
		ids.catchUp(source ?? memorySource(new Uint8Array(0)));
		return ids;
	}

	#idsFile(name: string): string {
		return join(this.#root, ours, 'ids', `${name.slice(0, -ending.length)}.ids`);
	}

	/** Half a line is what a killed process left, and no entry. */
	async load(key: SessionKey): Promise<readonly string[] | null> {
		const text = readIfThere(join(this.#root, fileOf(key)))?.toString('utf8');
		if (text === undefined) return null;
		return text.split('\n').filter((line) => lineFrom(line) !== undefined);
	}

	/** In bytes: files are only appended to, and nothing has to be read. */
	async sizes(keys: readonly SessionKey[]): Promise<readonly number[]> {
		return keys.map((key) => this.#stat(fileOf(key))?.size ?? 0);
	}

	async listSessions(projectKey: string): Promise<StoredSession[]> {
		const project = encoded(projectKey);
		const folder = join(this.#root, project);
		return namesIn(folder).flatMap(({ name, isFile }) => {
			const isOurs = isFile && name.endsWith(ending);
			const sessionId = isOurs ? this.#nameOf(project, name.slice(0, -ending.length)) : undefined;
			const stat = this.#stat(join(project, name));
			return sessionId === undefined || !stat ? [] : [{ sessionId, mtime: Math.floor(stat.mtimeMs) }];
		});
	}

	async delete(key: SessionKey): Promise<void> {
		const name = fileOf(key);
		await using _writer = await this.#writer(name);
		const all = folderOf(key);
		const also = key.subpath === undefined ? [all, join(ours, 'ids', all), join(ours, 'names', all)] : [];
		for (const one of [name, ...also]) rmSync(join(this.#root, one), { recursive: true, force: true });
		rmSync(this.#idsFile(name), { recursive: true, force: true });
		if (key.subpath === undefined) rmSync(this.#nameFile(all), { recursive: true, force: true });
		this.#known.clear();
	}

	async listSubkeys(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
		const found: string[] = [];
		const walk = (folder: string, above: readonly string[]): void => {
			for (const { name, isFile } of namesIn(join(this.#root, folder))) {
				const part = this.#nameOf(folder, isFile ? name.slice(0, -ending.length) : name);
				if (part === undefined || (isFile && !name.endsWith(ending))) continue;
				if (isFile) found.push([...above, part].join('/'));
				else walk(join(folder, name), [...above, part]);
			}
		};
		walk(folderOf(key), []);
		return found;
	}

	close(): Promise<void> {
		return this.#log.close();
	}
}

function namesIn(folder: string): readonly { readonly name: string; readonly isFile: boolean }[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter((item) => item.isFile() || item.isDirectory())
			.map((item) => ({ name: item.name, isFile: item.isFile() }));
	} catch (error) {
		if (isMissing(error)) return [];
		throw error;
	}
}
