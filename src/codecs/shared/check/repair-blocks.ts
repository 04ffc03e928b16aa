/** Remedies for the blocks of messages: what every format does alike, wherever it keeps them. */
import { isObject, type Json, type JsonObject, type Loss, stringAt } from '../../../model/index.ts';
import { parseJson } from '../read/parse.ts';
import { type Path, stepsOf } from '../write/json-edit.ts';
import {
	asText,
	byRecord,
	type Edits,
	lossNote,
	type Note,
	type Problem,
	type Remedy,
	type RepairFile,
	removal,
	textOfBlocks,
} from './repair.ts';
import type { LinksOf } from './repair-graph.ts';

/** What a text begins with that was a result. */
export const unknownResult = '[result of a tool call that is not in this session]';

/** The value at a path; undefined where there is none. */
export function valueIn(value: Json | undefined, path: Path): Json | undefined {
	let at: Json | undefined = value;
	for (const step of path) {
		if (typeof step === 'number') at = Array.isArray(at) ? (at as readonly Json[])[step] : undefined;
		else at = isObject(at) ? at[step] : undefined;
	}
	return at;
}

/** The blocks at a path; none where there is no list. */
export function blocksIn(value: JsonObject | undefined, content: Path): readonly Json[] {
	const found = valueIn(value, content);
	return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** Blocks in place of content that is no list; undefined where nothing is said. */
export function blocksFrom(content: Json | undefined): readonly Json[] | undefined {
	if (isObject(content) && typeof content.type === 'string') return [content];
	const text = asText(content);
	return text.trim() === '' ? undefined : [{ type: 'text', text }];
}

/** `message.content[3].id` is about block 3. */
export function blockAt(path: string): number {
	return Number(stepsOf(path).find((step) => typeof step === 'number'));
}

/** A call or a result among blocks. */
export interface Ref {
	readonly id: string;
	readonly at: number;
	readonly name: string | undefined;
}

/** The blocks of a type that have an id, which stands under `key`. */
export function refsIn(blocks: readonly Json[], type: string, key: string): readonly Ref[] {
	return blocks.flatMap((block, at) => {
		const id = isObject(block) && block.type === type ? block[key] : undefined;
		return isObject(block) && typeof id === 'string' ? [{ id, at, name: stringAt(block, 'name') }] : [];
	});
}

/** A block that has a problem, and what can be done to it. */
export function brokenBlock(edits: Edits, { index, rule, path: told }: Problem, content: Path) {
	const at = blockAt(told);
	const place = [...content, at];
	const value = valueIn(edits.value(index), place);
	const step = stepsOf(told)[place.length];
	const cut = (what: string, note: string, path?: string): void =>
		edits.cut(index, place, lossNote(rule, what, 'dropped', note, path));
	const put = (block: JsonObject, what: string, note: string, path?: string): void =>
		edits.set(index, place, block, lossNote(rule, what, 'approximated', note, path));
	return {
		edits,
		index,
		at,
		rule,
		/** Where the problem is. */
		path: told,
		value,
		/** The field that is wrong, where it is one. */
		field: typeof step === 'string' ? step : undefined,
		cut,
		put,
		set(field: string, to: Json, what: string, how: Loss['how'], note: string, path?: string): void {
			edits.set(index, [...place, field], to, lossNote(rule, what, how, note, path));
		},
		/** Text in its place; where that says nothing it goes. */
		toText(text: string, thing: string, path?: string, gone = `took out ${thing}`): void {
			if (text.trim() === '') cut(gone, thing, path);
			else put({ type: 'text', text }, `turned ${thing} into text`, `${thing} is text now`, path);
		},
		/** The model still learns what a result said that answers nothing. */
		resultToText(): void {
			const text = `${unknownResult} ${isObject(value) ? textOfBlocks(value.content) : ''}`;
			put({ type: 'text', text }, 'turned a result without its call into text', 'a tool result is text now');
		},
	};
}

export type BrokenBlock = ReturnType<typeof brokenBlock>;

/** What becomes of a record in which no block is left: with links, what followed it follows what it followed. */
export type Emptied = 'kept' | 'removed' | LinksOf;

/** Mends each block that has a problem once. The last of a record comes first, because taking one out moves those after it. */
export function mendBlocks(
	edits: Edits,
	problems: readonly Problem[],
	content: Path,
	emptied: Emptied,
	mend: (block: BrokenBlock, all: number) => void,
): void {
	const gone = new Map<number, Note>();
	for (const [index, found] of byRecord(problems)) {
		const byBlock = new Map(found.map((problem) => [blockAt(problem.path), problem]));
		const ordered = [...byBlock].sort(([a], [b]) => b - a);
		for (const [, problem] of ordered) mend(brokenBlock(edits, problem, content), byBlock.size);
		if (emptied === 'kept' || blocksIn(edits.value(index), content).length > 0) continue;
		const rule = found[0]?.rule ?? '';
		if (emptied === 'removed') edits.remove(index, removal(rule, 'a message in which nothing is left'));
		else gone.set(index, { rule, what: 'took out the line: nothing is left in it' });
	}
	if (typeof emptied === 'function') emptied(edits).remove(gone);
}

export interface BlockRepair extends Pick<Remedy, 'rules' | 'does'> {
	/** Where a message keeps its blocks. */
	readonly content: Path;
	readonly emptied: Emptied;
	/** The types of blocks that are thinking, and the rule that changes of sound ones are told under. */
	readonly thinking: { readonly types: readonly string[]; readonly rule: string };
	mendBlock(block: BrokenBlock): void;
}

/** For blocks that break a rule, and for thinking when it is asked for: nobody but the model's provider can tell whether a signature still holds. */
export function blockRemedies(format: BlockRepair): readonly [Remedy, Remedy] {
	const { rules, does, content, emptied, thinking, mendBlock } = format;
	const mend: Remedy['mend'] = (edits, problems) => mendBlocks(edits, problems, content, emptied, mendBlock);
	const find = ({ lines }: RepairFile): readonly Problem[] =>
		lines.flatMap(({ index, value }) =>
			blocksIn(value, content).flatMap((block, at) =>
				isObject(block) && thinking.types.includes(String(block.type))
					? [{ rule: thinking.rule, index, path: `${content.join('.')}[${at}]` }]
					: [],
			),
		);
	return [
		{ rules, does, mend },
		{
			rules: [],
			does: 'With `--thinking`, all thinking becomes text or is taken out, signed or not.',
			find: (file) => (file.options.thinking === undefined ? [] : find(file)),
			mend,
		},
	];
}

/** An input that is no object: the object that its text holds, or the value under a name of its own. */
export function objectFrom(value: Json | undefined): JsonObject {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isObject(parsed)) return parsed;
	return value === undefined || value === null ? {} : { input: value };
}
