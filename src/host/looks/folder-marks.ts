/** The folders that a listing went through, by their times: while none of them changes, no file was added, removed or renamed. */
import { basename, join } from 'node:path';
import { statOf } from '../../store/checkpoints/forms.ts';
import { listOf } from './walk-files.ts';

/** The paths among these that are ignored; undefined where nobody can tell. */
type Ignored = (paths: readonly string[]) => Promise<ReadonlySet<string> | undefined>;

/** As long as a change may leave the time of a folder as it was. */
const tickMs = 40;

export class FolderMarks {
	readonly #root: string;
	#marks: ReadonlyMap<string, string> | undefined;
	#leftOut: ReadonlySet<string> = new Set();

	constructor(root: string) {
		this.#root = root;
	}

	/** True where a listing would say what the last one said. `.gitignore` files are watched too: they decide what is listed. */
	get areSame(): boolean {
		if (!this.#marks) return false;
		for (const [path, mark] of this.#marks) if (this.#markOf(path) !== mark) return false;
		return true;
	}

	/** What is in the folders of the last listing and not in it, such as ignored files; the name of a folder ends with a slash. */
	get leftOut(): ReadonlySet<string> {
		return this.#leftOut;
	}

	/** After a listing that began at that time. `more` are files that decide too what is listed. */
	async note(
		{ paths, inner }: { readonly paths: readonly string[]; readonly inner: readonly string[] },
		beganMs: number,
		ignored: Ignored,
		more: readonly string[],
	): Promise<void> {
		this.#marks = undefined;
		const folders = await this.#withEmpty(paths, new Set(inner), ignored);
		if (!folders) return;
		const marks = new Map<string, string>();
		for (const folder of folders) {
			const stat = statOf(this.#place(folder));
			// It was changed while it was listed, or a moment before: the listing may lack something.
			if (!stat || Math.max(stat.mtimeMs, stat.ctimeMs) > beganMs - tickMs) return;
			marks.set(folder, this.#markOf(folder));
		}
		for (const path of paths) if (basename(path) === '.gitignore') marks.set(path, this.#markOf(path));
		for (const path of [...more, ...inner]) marks.set(path, this.#markOf(path));
		this.#marks = marks;
	}

	/** Folders without a file are in no listing, and a file may be made in one: they are watched as well, unless they are ignored or repositories of their own. */
	async #withEmpty(
		paths: readonly string[],
		inner: ReadonlySet<string>,
		ignored: Ignored,
	): Promise<ReadonlySet<string> | undefined> {
		const known = foldersOf(paths);
		const listed = new Set(paths);
		const leftOut = new Set(inner);
		for (let level: readonly string[] = [...known]; level.length > 0; ) {
			const found = level.flatMap((folder) => this.#in(folder));
			for (const path of found) if (!path.endsWith('/') && !listed.has(path)) leftOut.add(path);
			const folders = found.filter((path) => path.endsWith('/') && !inner.has(path)).map((path) => path.slice(0, -1));
			const fresh = folders.filter((folder) => !known.has(folder));
			const left = fresh.length === 0 ? new Set<string>() : await ignored(fresh);
			if (!left) return undefined;
			for (const folder of left) leftOut.add(`${folder}/`);
			level = fresh.filter((folder) => !left.has(folder));
			for (const folder of level) known.add(folder);
		}
		this.#leftOut = leftOut;
		return known;
	}

	/** The paths of what is in a folder; those of folders end with a slash. */
	#in(folder: string): readonly string[] {
		const way = folder === '' ? '' : `${folder}/`;
		return listOf(this.#place(folder))
			.filter(({ name }) => name !== '.git')
			.map((item) => (item.isDirectory() ? `${way}${item.name}/` : `${way}${item.name}`));
	}

	#place(path: string): string {
		return path.startsWith('/') ? path : join(this.#root, path);
	}

	#markOf(path: string): string {
		const stat = statOf(this.#place(path));
		return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}` : '';
	}
}

/** All folders on the way to these paths, the first one as an empty name. */
function foldersOf(paths: readonly string[]): Set<string> {
	const folders = new Set(['']);
	for (const path of paths) {
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const folder = path.slice(0, end);
			if (folders.has(folder)) break;
			folders.add(folder);
		}
	}
	return folders;
}
