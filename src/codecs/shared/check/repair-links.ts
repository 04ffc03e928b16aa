/** Links between lines and their parents, kept current while lines are changed. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { Edits, Note } from './repair.ts';

export interface Link {
	/** The index of the record. */
	readonly index: number;
	/** Absent where the line has no id. */
	readonly id: string | undefined;
	readonly value: JsonObject;
	parent: string | null;
}

export interface LinkKeys {
	readonly id: string;
	/** True where the client takes an empty text for an id like any other. */
	readonly empty: boolean;
	/** True where lines have neither ids nor parents and just follow one another. */
	readonly linear?: boolean;
	/** The name of the field with the parent's id. */
	parentKey(value: JsonObject): string;
}

/** The lines of one conversation, in file order. */
export class Links {
	readonly all: readonly Link[];
	private readonly keys: LinkKeys;
	private readonly edits: Edits;
	private readonly byId = new Map<string, Link>();
	private readonly order = new Map<number, number>();
	/** From a line to one far above it, to shorten later walks. */
	private readonly shortcuts = new Map<Link, Link>();

	constructor(edits: Edits, keys: LinkKeys, belongs: (value: JsonObject) => boolean) {
		this.edits = edits;
		this.keys = keys;
		const all: Link[] = [];
		for (const { index } of edits.file.lines) {
			const value = edits.value(index);
			if (!isObject(value) || !belongs(value)) continue;
			const id = keys.linear ? String(index) : this.idFrom(value[keys.id]);
			const named = keys.linear ? all.at(-1)?.id : this.idFrom(value[keys.parentKey(value)]);
			const parent = named ?? null;
			all.push({ index, id, value, parent });
		}
		this.all = all;
		all.forEach((link, at) => {
			this.order.set(link.index, at);
			if (link.id !== undefined) this.byId.set(link.id, link);
		});
	}

	private idFrom(value: Json | undefined): string | undefined {
		return typeof value === 'string' && (this.keys.empty || value !== '') ? value : undefined;
	}

	/** The line with this id; the last one where several have it. */
	get(id: string | null | undefined): Link | undefined {
		return id == null ? undefined : this.byId.get(id);
	}

	at(index: number): Link | undefined {
		const order = this.order.get(index);
		return order === undefined ? undefined : this.all[order];
	}

	childrenOf(link: Link): readonly Link[] {
		return link.id === undefined ? [] : this.all.filter((other) => other.parent === link.id && other !== link);
	}

	/** True when the parents of `link` lead to `above`, or never end. */
	isBelow(link: Link, above: Link): boolean {
		if (!this.get(above.parent)) return [above, undefined].includes(this.topOf(link));
		const seen = new Set<Link>();
		for (let at: Link | undefined = link; at; at = this.get(at.parent)) {
			if (at === above || seen.has(at)) return true;
			seen.add(at);
		}
		return false;
	}

	/** The root that the parents of `link` lead to; undefined for a cycle. Called for every line without a parent. */
	private topOf(link: Link): Link | undefined {
		const passed = new Set<Link>();
		let at = link;
		for (let next = this.above(at); next; next = this.above(at)) {
			if (passed.has(at)) return undefined;
			passed.add(at);
			at = next;
		}
		for (const below of passed) this.shortcuts.set(below, at);
		return at;
	}

	private above(link: Link): Link | undefined {
		return this.shortcuts.get(link) ?? this.get(link.parent);
	}

	/** The nearest line before it in the file that does not descend from it: what it most likely followed. */
	previous(link: Link, fits: (other: Link) => boolean = () => true): Link | undefined {
		for (let at = (this.order.get(link.index) ?? 0) - 1; at >= 0; at -= 1) {
			const other = this.all[at] as Link;
			if (other.id === undefined || this.get(other.id) !== other || !fits(other)) continue;
			if (!this.isBelow(other, link)) return other;
		}
		return undefined;
	}

	/** The line of a cycle above `start` that comes first in the file. */
	firstOfCycle(start: Link | undefined): Link | undefined {
		const walked = new Set<Link>();
		let at = start;
		for (; at && !walked.has(at); at = this.get(at.parent)) walked.add(at);
		if (!at) return undefined;
		let first = at;
		for (let link = this.get(at.parent); link && link !== at; link = this.get(link.parent)) {
			if (link.index < first.index) first = link;
		}
		return first;
	}

	/** Records another parent for a line, without changing the file. */
	take(link: Link, parent: string | null): void {
		this.shortcuts.clear();
		link.parent = parent;
	}

	/** Makes a line follow the nearest one before it that does not descend from it. */
	hang(link: Link, rule: string, fits?: (other: Link) => boolean): void {
		const before = this.previous(link, fits)?.id ?? null;
		this.setParent(link, before, {
			rule,
			what: before === null ? 'is now the first line' : 'now follows the line before',
		});
	}

	setParent(link: Link, parent: string | null, note: Note): void {
		if (link.parent === parent && link.value[this.keys.parentKey(link.value)] === parent) return;
		// When a line without a parent gets one, the shortcuts below it stay valid.
		if (this.get(link.parent)) this.shortcuts.clear();
		link.parent = parent;
		if (!this.keys.linear) this.edits.set(link.index, [this.keys.parentKey(link.value)], parent, note);
	}

	/** Removes lines; their children get their parents. */
	remove(gone: ReadonlyMap<number, Note>): void {
		const links = [...gone.keys()].map((index) => this.at(index));
		for (const [index, note] of gone) this.edits.remove(index, note);
		const ids = new Map(links.flatMap((link) => (link?.id === undefined ? [] : [[link.id, link] as const])));
		for (const link of this.all) {
			if (link.parent === null || gone.has(link.index) || !ids.has(link.parent)) continue;
			const seen = new Set<string>();
			let parent: string | null = link.parent;
			while (parent !== null && ids.has(parent) && !seen.has(parent)) {
				seen.add(parent);
				parent = ids.get(parent)?.parent ?? null;
			}
			const above: Link | undefined = ids.get(link.parent);
			const rule = (above && gone.get(above.index)?.rule) ?? '';
			this.setParent(link, parent !== null && seen.has(parent) ? null : parent, {
				rule,
				what: 'now follows the line before the one that was taken out',
			});
		}
	}
}
