/** Encodes entries of any origin as pi's lines, or as the bare messages of the document. */
import type { Entry, EntryId, Header, JsonObject, Loss, Session } from '../../../model/index.ts';
import { providerOf } from '../../../wires/index.ts';
import { compactionText } from '../../../wires/texts.ts';
import type { EncodedPieces, EncodeInput } from '../../codec.ts';
import { leafToWrite } from '../../shared/context/leaf.ts';
import { noteTools } from '../../shared/write/said.ts';
import { missingNewline } from '../../shared/write/splice.ts';
import { keptOf } from '../read/values.ts';
import { lineBodies } from './beside.ts';
import { Chain, Ids } from './chain.ts';
import { type Body, messageBodies } from './messages.ts';
import { type Item, onePath, plan } from './plan.ts';

/** How lines are linked: `bare` and `flat` (version 1) follow one another, in a `tree` they name their parent. */
type Shape = 'bare' | 'flat' | 'tree';

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	const losses: Loss[] = input.losses ?? [];
	return { pieces: pieces(input, losses), losses, beside: [] };
}

function* pieces(input: EncodeInput, losses: Loss[]): Generator<string> {
	const after = input.after && input.after.entries.length > 0 ? input.after : undefined;
	const shape = shapeOf(input, after);
	const writer = new Writer(input, after, shape, losses);
	const items = plan(input.entries, input.header.agent, losses);
	if (after === undefined) writer.preamble(items);
	const write = (some: readonly Item[], leaf: EntryId | null) =>
		shape === 'tree' ? writer.tree(some) : writer.row(onePath(some, leaf, losses));
	yield* write(items, leafToWrite(input));
	let last: Pick<EncodeInput, 'entries' | 'leaf'> = input;
	for (const entries of input.more ?? []) {
		writer.forget(last.entries);
		writer.note(entries);
		last = { entries };
		yield* write(plan(entries, input.header.agent, losses), leafToWrite(last));
	}
	if (shape === 'tree') writer.endAtLeaf(last);
	yield* writer.take();
}

/** The shape of a file, which stays as it began: no client reads a mixture. */
function shapeOf(input: EncodeInput, after: Session | undefined): Shape {
	if (after === undefined) return input.profile === 'published' ? 'bare' : 'tree';
	if (after.dialect === 'bare') return 'bare';
	return after.dialect === 'v1' ? 'flat' : 'tree';
}

class Writer {
	readonly #input: EncodeInput;
	readonly #shape: Shape;
	readonly #losses: Loss[];
	#pieces: string[] = [];
	#begun = false;
	readonly #ids: Ids;
	readonly #chain: Chain;
	#tools = new Map<string, string>();
	/** The parent of each entry, whether it is written or not. */
	#parents = new Map<string, string | null>();
	readonly #titled: boolean;
	/** The time of the entry before in Unix milliseconds, for entries without one. */
	#time: number;
	/** The last of a new file's first lines, which every conversation in it follows. */
	#root: string | null;

	constructor(input: EncodeInput, after: Session | undefined, shape: Shape, losses: Loss[]) {
		this.#input = input;
		this.#shape = shape;
		this.#losses = losses;
		this.#ids = new Ids(after);
		this.#chain = new Chain(after);
		this.#time = firstTime(input, after);
		this.#root = rootOf(after);
		const entries = [...(after?.entries ?? []), ...input.entries];
		this.note(entries);
		this.#titled =
			entries.some((entry) => entry.kind === 'setting' && entry.set.title !== undefined) || !!input.header.title;
	}

	/** Remembers the names of called tools. */
	note(entries: readonly Entry[]): void {
		noteTools(entries, this.#tools);
	}

	/** Forgets these entries but the last, which nothing to come refers to: a session of gigabytes is never held. */
	forget(entries: readonly Entry[]): void {
		this.#tools = new Map();
		const last = entries.findLast((entry) => entry.parent !== undefined);
		const id = last && this.#nearest(last.id);
		if (!last || id === undefined) return;
		this.#parents = new Map();
		this.#ids.forgetBefore(last.id, id);
		this.#chain.forgetBefore(id);
	}

	/** Writes what a new file starts with: header, model, title. */
	preamble(items: readonly Item[]): void {
		const { header, id } = this.#input;
		this.#loseHeader(header);
		if (this.#shape === 'bare') return;
		const timestamp = new Date(this.#time).toISOString();
		if (header.created === undefined)
			this.#lose('', 'header.created', 'invented', 'when the session began is not known');
		const { how, session: parent } = header.from ?? {};
		const parentSession = how === 'fork' || how === 'subagent' ? parent : undefined;
		this.#write({ type: 'session', version: 3, id, timestamp, cwd: header.cwd, parentSession });
		const { reference } = this.#input;
		if (reference) this.#prepend('custom', { customType: 'reprise.lineage', data: reference() }, timestamp);
		const first = items.find((item) => item.entry.kind !== 'start')?.entry;
		if (!(first?.kind === 'setting' && first.set.model !== undefined)) this.#firstModel(items, timestamp);
		const titled = items.some((item) => item.entry.kind === 'setting' && item.entry.set.title !== undefined);
		if (header.title && !titled) this.#prepend('session_info', { name: header.title }, timestamp);
	}

	#firstModel(items: readonly Item[], timestamp: string): void {
		let { model, provider } = this.#input.header;
		for (const { entry } of items) {
			if (entry.kind !== 'message' || entry.response?.model === undefined) continue;
			model = entry.response.model;
			provider = entry.response.provider;
			break;
		}
		provider ??= providerOf(model);
		if (model !== undefined && provider !== undefined)
			this.#prepend('model_change', { provider, modelId: model }, timestamp);
	}

	#prepend(type: string, fields: JsonObject, timestamp: string): void {
		const id = this.#ids.fresh(this.#input.id, type);
		this.#write({ type, id, parentId: this.#root, timestamp, ...fields });
		this.#chain.addBeside(id, this.#root);
		this.#root = id;
	}

	#loseHeader(header: Header): void {
		const note = 'the format does not record it';
		if (header.gitBranch !== undefined) this.#lose('', 'header.gitBranch', 'dropped', note);
		if (header.agent !== undefined) this.#lose('', 'header.agent', 'dropped', note);
		if (header.systemPrompt !== undefined) {
			this.#lose('', 'header.systemPrompt', 'dropped', 'the client writes its own system message when it resumes');
		}
		if (header.from && (header.from.how === 'import' || this.#shape === 'bare'))
			this.#lose('', 'header.from', 'dropped', note);
		if (this.#shape !== 'bare') return;
		if (header.cwd !== undefined) this.#lose('', 'header.cwd', 'dropped', 'the document has no header');
		if (header.title) this.#lose('', 'header.title', 'dropped', 'the document has no header');
	}

	/** Writes lines that name their parents. */
	*tree(items: readonly Item[]): Generator<string> {
		for (const { entry, merged } of items) {
			this.#parents.set(entry.id, entry.parent ?? entry.logicalParent ?? null);
			for (const one of merged) this.#parents.set(one.id, one.parent ?? one.logicalParent ?? null);
		}
		for (const item of items) {
			const { entry } = item;
			const id = this.#ids.assign(entry);
			for (const other of item.merged) this.#ids.alias(other.id, id);
			const bodies = this.#bodies(item, id);
			let index = 0;
			for (const body of bodies) {
				const own = index === bodies.length - 1 ? id : this.#ids.fresh(entry.id, String(index));
				this.#treeLine(entry, body, own, index > 0);
				index += 1;
			}
			yield* this.take();
		}
	}

	#treeLine(entry: Entry, body: Body, id: string, next: boolean): void {
		const beside = entry.parent === undefined;
		const wanted = next || beside ? this.#chain.last : this.#parentOf(entry);
		const parent = body.type === 'leaf' ? wanted : this.#chain.follow(wanted, body.result);
		const timestamp = this.#timestamp(entry);
		if (!this.#write({ type: body.type, id, parentId: parent, timestamp, ...body.fields }, entry)) return;
		if (beside) this.#chain.addBeside(id, parent);
		else this.#chain.add(id, parent, body.calls, body.result);
	}

	/** The nearest entry above that is in the file; an entry without one follows the preamble. */
	#parentOf(entry: Entry): string | null {
		const up = entry.parent ?? entry.logicalParent;
		if (up === undefined) return this.#root;
		const id = this.#nearest(up);
		if (id !== undefined) return id;
		if (this.#parents.has(up) && this.#rootOf(up)) return this.#root;
		if (this.#chain.last !== null) {
			this.#lose(entry.id, 'parent', 'approximated', 'the entry that it follows is not in the file before it');
		}
		return this.#chain.last;
	}

	/** True when the path up ends at a root, and nothing on it was written. */
	#rootOf(entry: string): boolean {
		const seen = new Set<string>();
		let at: string | null | undefined = entry;
		while (at != null && !seen.has(at)) {
			seen.add(at);
			at = this.#parents.get(at);
		}
		return at === null;
	}

	/** Writes one more line where the leaf is not the last line, from which pi would go on. */
	endAtLeaf(part: Pick<EncodeInput, 'entries' | 'leaf'>): void {
		if (part.entries.some((entry) => entry.kind === 'leaf' && keptOf(entry.extra) !== undefined)) return;
		const leaf = leafToWrite(part);
		const id = leaf === null ? undefined : this.#nearest(leaf);
		if (id === undefined) return;
		const tip = this.#chain.tip(id);
		if (tip === this.#chain.last) return;
		const mark = this.#ids.fresh(this.#input.id, 'leaf', tip);
		const timestamp = new Date(this.#time).toISOString();
		this.#write({ type: 'custom', id: mark, parentId: tip, timestamp, customType: 'reprise.leaf' });
	}

	/** Writes lines that follow one another: bare messages, or version 1. */
	*row(items: readonly Item[]): Generator<string> {
		for (const item of items) {
			for (const body of this.#bodies(item, item.entry.id)) {
				if (this.#shape === 'bare') this.#bareLine(item.entry, body);
				else this.#write({ type: body.type, timestamp: this.#timestamp(item.entry), ...body.fields }, item.entry);
			}
			yield* this.take();
		}
	}

	#bareLine(entry: Entry, body: Body): void {
		const message = body.fields.message as JsonObject | undefined;
		if (message !== undefined) this.#write(message, entry);
		else if (entry.kind === 'compaction') {
			this.#lose(
				entry.id,
				'',
				'approximated',
				'the document has no compaction: its summary is written as a user message',
			);
			this.#write(
				{ role: 'user', content: compactionText(entry.summary ?? ''), timestamp: this.#millis(entry) },
				entry,
			);
		} else this.#lose(entry.id, '', 'dropped', `the document has messages only, no ${entry.kind}`);
	}

	#bodies(item: Item, id: string): readonly Body[] {
		const { entry } = item;
		const lose = (path: string, how: Loss['how'], note: string) => this.#lose(entry.id, path, how, note);
		if (entry.kind !== 'message') {
			return lineBodies(entry, {
				lose,
				id,
				titled: this.#titled,
				provider: this.#input.header.provider,
				native: (other) => this.#native(other),
				nearest: (other) => this.#nearest(other),
			});
		}
		return messageBodies(entry, {
			lose,
			profile: this.#input.profile,
			bare: this.#shape === 'bare',
			header: this.#input.header,
			time: this.#millis(entry),
			toolName: (call) => this.#tools.get(call),
			countUsage: item.countUsage,
		});
	}

	/** The id of a line in the file; only in a tree do lines have ids. */
	#native(entry: string): string | undefined {
		const id = this.#shape === 'tree' ? this.#ids.of(entry) : undefined;
		return id !== undefined && this.#chain.has(id) ? id : undefined;
	}

	/** The id of an entry's line, or of the nearest one above where the entry was not written. */
	#nearest(entry: string): string | undefined {
		const seen = new Set<string>();
		for (let at: string | null | undefined = entry; at != null && !seen.has(at); at = this.#parents.get(at)) {
			seen.add(at);
			const id = this.#native(at);
			if (id !== undefined) return id;
		}
		return undefined;
	}

	#millis(entry: Entry): number {
		const own = entry.time === undefined ? Number.NaN : Date.parse(entry.time);
		if (Number.isNaN(own)) this.#lose(entry.id, 'time', 'invented', 'when it happened is not known');
		else this.#time = own;
		return this.#time;
	}

	#timestamp(entry: Entry): string {
		const own = entry.time === undefined ? Number.NaN : Date.parse(entry.time);
		if (!Number.isNaN(own)) this.#time = own;
		return new Date(this.#time).toISOString();
	}

	/** False when the value cannot be written, which only absurdly deep nesting can cause. */
	#write(value: JsonObject, entry?: Entry): boolean {
		try {
			this.#pieces.push(JSON.stringify(value), '\n');
		} catch (error) {
			if (!(error instanceof RangeError) || entry === undefined) throw error;
			this.#lose(entry.id, '', 'dropped', 'it is nested too deeply to be written');
			return false;
		}
		return true;
	}

	#lose(entry: string, path: string, how: Loss['how'], note: string): void {
		this.#losses.push({ entry, path, how, note });
	}

	/** Returns the lines since the last call. A torn last line is ended first, or the new one would become part of it. */
	take(): readonly string[] {
		const pieces = this.#pieces;
		if (pieces.length === 0) return pieces;
		if (!this.#begun) pieces.unshift(this.#ending());
		this.#begun = true;
		this.#pieces = [];
		return pieces;
	}

	#ending(): string {
		const source = this.#input.after?.source;
		return source ? missingNewline(source) : '';
	}
}

function firstTime(input: EncodeInput, after: Session | undefined): number {
	const times = [...(after?.entries.slice(-1) ?? []), { time: input.header.created }, ...input.entries.slice(0, 50)];
	for (const { time } of times) {
		const millis = time === undefined ? Number.NaN : Date.parse(time);
		if (!Number.isNaN(millis)) return millis;
	}
	return 0;
}

/** The line that a new conversation in an existing file follows: the settings before its first message. */
function rootOf(after: Session | undefined): string | null {
	let root: string | null = null;
	for (const entry of after?.entries ?? []) {
		if (entry.parent === undefined || entry.id.startsWith('line:')) continue;
		if (entry.kind !== 'setting' && entry.kind !== 'event') break;
		root = entry.id;
	}
	return root;
}
