/** Remedies for blocks of messages that all formats share, wherever they keep their blocks. */
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

/** The beginning of a text that was a result without its call. */
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

/** The number of the block in a path: 3 for `message.content[3].id`. */
export function blockAt(path: string): number {
	return Number(stepsOf(path).find((step) => typeof step === 'number'));
}

/** A call or a result, with its index among the blocks. */
export interface Ref {
	readonly id: string;
	readonly at: number;
	readonly name: string | undefined;
}

/** The blocks of a type that have an id in the field `key`. */
export function refsIn(blocks: readonly Json[], type: string, key: string): readonly Ref[] {
	return blocks.flatMap((block, at) => {
		const id = isObject(block) && block.type === type ? block[key] : undefined;
		return isObject(block) && typeof id === 'string' ? [{ id, at, name: stringAt(block, 'name') }] : [];
	});
}

/** A block with a problem, and the changes that can be made to it. */
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
		/** The path of the problem. */
		path: told,
		value,
		/** The name of the field that is wrong, if it is a field. */
		field: typeof step === 'string' ? step : undefined,
		cut,
		put,
		set(field: string, to: Json, what: string, how: Loss['how'], note: string, path?: string): void {
			edits.set(index, [...place, field], to, lossNote(rule, what, how, note, path));
		},
		/** Replaces the block by a text, or removes it where the text is blank. */
		toText(text: string, thing: string, path?: string, gone = `took out ${thing}`): void {
			if (text.trim() === '') cut(gone, thing, path);
			else put({ type: 'text', text }, `turned ${thing} into text`, `${thing} is text now`, path);
		},
		/** Turns a result without its call into text, so that the model still learns what it said. */
		resultToText(): void {
			const text = `${unknownResult} ${isObject(value) ? textOfBlocks(value.content) : ''}`;
			put({ type: 'text', text }, 'turned a result without its call into text', 'a tool result is text now');
		},
	};
}

export type BrokenBlock = ReturnType<typeof brokenBlock>;

/** What happens to a record without blocks. With links it is removed, and what followed it gets its parent. */
export type Emptied = 'kept' | 'removed' | LinksOf;

/** Mends each block with a problem once. The last block of a record comes first: removing one moves those behind it. */
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
	/** The path of a message's blocks. */
	readonly content: Path;
	readonly emptied: Emptied;
	/** The types of thinking blocks, and the rule to name when valid ones are changed on request. */
	readonly thinking: { readonly types: readonly string[]; readonly rule: string };
	mendBlock(block: BrokenBlock): void;
}

/** Remedies for blocks that break a rule, and on request for all thinking: only the provider can check a signature. */
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

/** An object for an input that is none: the object in its text, or the value under a name of its own. */
export function objectFrom(value: Json | undefined): JsonObject {
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	if (isObject(parsed)) return parsed;
	return value === undefined || value === null ? {} : { input: value };
}
