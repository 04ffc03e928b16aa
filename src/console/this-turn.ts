/** What was said since the last prompt was sent. The session's file has it only in part: a reply is written there when it has ended. */
import type { EntryId } from '../model/index.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import type { Block } from './state.ts';

/** More than the full screen scrolls back to. */
const mostKept = 1000;

export class ThisTurn {
	#blocks: Block[] | undefined;
	#path = '';
	#before: EntryId | null = null;

	begin(handle: SessionHandle | undefined): void {
		this.#blocks = [];
		this.#path = handle?.path ?? '';
		this.#before = handle?.leaf ?? null;
	}

	end(): void {
		this.#blocks = undefined;
	}

	add(blocks: readonly Block[]): void {
		if (!this.#blocks) return;
		this.#blocks.push(...blocks);
		if (this.#blocks.length > mostKept) this.#blocks.splice(0, this.#blocks.length - mostKept);
	}

	/** The last turns as far as they are finished, with what the file does not have yet. Asked again when it is used: more may be said meanwhile. */
	async all(handle: SessionHandle | undefined, turns: number): Promise<() => readonly Block[]> {
		const isHere = this.#blocks !== undefined && handle?.path === this.#path;
		const said = (): readonly Block[] => this.#blocks ?? [];
		if (isHere && this.#before === null) return said;
		const { blocksUpTo, storedBlocks } = await import('./stored.ts');
		const before = isHere && this.#before !== null ? await blocksUpTo(this.#path, turns, this.#before) : undefined;
		if (before) return () => [...before, ...said()];
		// Between two turns, or after a command that has led elsewhere, the file has all of it.
		const stored = handle && handle.leaf !== null ? await storedBlocks(handle.path, turns) : [];
		return () => stored;
	}
}
