/** The lines of a Claude Code file by number and id: which fields are read without parsing, which types are in the graph. It reads back only as far as needed. */
import type { EntryId, Json, JsonObject } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';

/** The fields that `Lines` reads of every line without parsing it. */
export const lineEnvelope: readonly string[] = [
	'type',
	'subtype',
	'uuid',
	'parentUuid',
	'isSidechain',
	'isMeta',
	'timestamp',
	'version',
	'message.id',
	'sourceToolAssistantUUID',
	'leafUuid',
	'explicit',
];

/** Types of lines that 2.1.325 follows; 2.1.29 follows progress lines too. */
const graphTypes: ReadonlySet<Json | undefined> = new Set(['user', 'assistant', 'system', 'attachment']);

/**
 * Ids are searched from the end backwards: the parents of the last messages are near, and what a compaction dropped is
 * never read. Of several lines with one id the last counts.
 */
export class Lines {
	readonly index: LineIndex;
	/** Lines from here on do not count: the conversation is seen as it was before them. */
	readonly end: number;
	/** True once a line before the first of the index could have changed the answer. */
	missed = false;
	readonly #byId = new Map<Json | undefined, number>();
	readonly #values = new Map<number, JsonObject>();
	#unread: number;

	constructor(index: LineIndex, end: number = index.length) {
		this.index = index;
		this.end = end;
		this.#unread = end;
	}

	/**
	 * A parsed line, remembered because several steps read the lines of a path. The copy of a tool's result that is never
	 * sent is left out: it is half of many files.
	 */
	value(line: number): JsonObject {
		let value = this.#values.get(line);
		if (!value) {
			const { toolUseResult: _, ...rest } = this.index.value(line);
			value = rest;
			this.#values.set(line, value);
		}
		return value;
	}

	type(line: number): Json | undefined {
		return this.index.field(line, 'type');
	}

	isGraph(line: number): boolean {
		return graphTypes.has(this.type(line));
	}

	isMessage(line: number): boolean {
		const type = this.type(line);
		return type === 'user' || type === 'assistant';
	}

	isBoundary(line: number): boolean {
		return this.type(line) === 'system' && this.index.field(line, 'subtype') === 'compact_boundary';
	}

	isSidechain(line: number): boolean {
		return Boolean(this.index.field(line, 'isSidechain'));
	}

	/** The parent's id; `undefined` for the first line of a conversation, as empty values are no parents. */
	parentId(line: number): Json | undefined {
		return this.index.field(line, 'parentUuid') || undefined;
	}

	/** True unless a later line has the same id. */
	counts(line: number): boolean {
		return this.find(this.index.field(line, 'uuid')) === line;
	}

	/** The line with an id, which a file that was read from the middle may have further up. */
	find(id: Json | undefined): number | undefined {
		let found = this.#byId.get(id);
		while (found === undefined && this.#unread > 0) {
			this.#unread -= 1;
			const line = this.#unread;
			if (!this.isGraph(line) && this.type(line) !== 'progress') continue;
			const own = this.index.field(line, 'uuid');
			if (!this.#byId.has(own)) this.#byId.set(own, line);
			if (own === id) found = this.#byId.get(id);
		}
		if (found === undefined) this.miss();
		return found;
	}

	/** Notes that the answer needs lines that the index lacks. */
	miss(): void {
		if (this.index.partial) this.missed = true;
	}

	entryId(line: number): EntryId {
		const id = this.index.field(line, 'uuid');
		return typeof id === 'string' ? id : `line:${this.index.position(line).line}`;
	}

	/** The line that an entry was read from. */
	lineOf(entry: EntryId): number | undefined {
		const unnamed = entry.startsWith('line:'); // line numbers are needed only for such an id
		for (let line = this.end - 1; line >= 0; line -= 1) {
			const id = this.index.field(line, 'uuid');
			if (id === entry || (unnamed && typeof id !== 'string' && this.entryId(line) === entry)) return line;
		}
		this.miss();
		return undefined;
	}
}
