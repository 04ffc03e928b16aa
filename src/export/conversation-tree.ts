/** A conversation as a tree over all its branches and over forks, hand-offs and copies: what counts as the same step, and when a file belongs to the tree. */
import { prompted } from '../codecs/index.ts';
import { branches, type Entry, type EntryId, entryText, history, isPrompt, type Session } from '../model/index.ts';
import { subjectOf } from './tool-words.ts';

/** Something that was said or done, at its place in the tree. */
export interface TreeStep {
	/** No other step of the whole tree has it. */
	readonly id: string;
	readonly parent: string | null;
	readonly entry: EntryId;
	/** The main file that has it; of several the first. */
	readonly path: string;
	readonly is: 'prompt' | 'reply' | 'tool' | 'other';
	readonly text: string;
	/** The conversation in the first file goes on from it or from what follows it. */
	readonly active: boolean;
}

export interface TreeFile {
	readonly path: string;
	readonly session: Session;
}

type Said = Pick<TreeStep, 'entry' | 'is' | 'text'>;

interface Node {
	readonly step: TreeStep;
	readonly below: Node[];
}

/** Steps in the order in which they were first met. What another file has in the same words is the same step. */
export function conversationTree(own: TreeFile, others: readonly TreeFile[] = []): readonly TreeStep[] {
	const all: TreeStep[] = [];
	const roots: Node[] = [];
	const active = new Set(history(own.session).map(({ id }) => id));
	for (const { path, session } of [own, ...others]) {
		const isOwn = path === own.path;
		if (!isOwn && !isRelated(session, roots)) continue;
		/** The steps of this file, so that the same words said twice in it stay two steps. */
		const met = new Map<string, Node>();
		for (const leaf of leavesOf(session)) {
			let above: Node | undefined;
			for (const [at, said] of saidUpTo(session, leaf)) {
				const key = `${said.entry} ${at}`;
				const siblings: Node[] = above?.below ?? roots;
				const known = met.get(key) ?? (isOwn ? undefined : siblings.find(({ step }) => isSame(step, said)));
				const node: Node = known ?? {
					step: {
						...said,
						id: `${path} ${key}`,
						path,
						parent: above?.step.id ?? null,
						active: isOwn && active.has(said.entry),
					},
					below: [],
				};
				if (!known) {
					siblings.push(node);
					all.push(node.step);
				}
				met.set(key, node);
				above = node;
			}
		}
	}
	return all;
}

/** In the order of the file, each branch once. */
function leavesOf(session: Session): readonly EntryId[] {
	const found = branches(session).map(({ leaf }) => leaf);
	return session.leaf === null || found.includes(session.leaf) ? found : [...found, session.leaf];
}

/** What was said on the way to an entry, each with its number within its entry. */
function* saidUpTo(session: Session, leaf: EntryId): Iterable<readonly [number, Said]> {
	for (const entry of history(session, leaf)) yield* saidIn(entry).entries();
}

function saidIn(entry: Entry): readonly Said[] {
	if (entry.kind === 'compaction') return [{ entry: entry.id, is: 'other', text: 'compacted: a summary from here on' }];
	if (entry.kind !== 'message') return [];
	if (entry.role !== 'assistant') return isPrompt(entry) ? [promptIn(entry)] : [];
	return entry.content.flatMap((block): readonly Said[] => {
		if (block.type === 'text' && block.text.trim() !== '') return [{ entry: entry.id, is: 'reply', text: block.text }];
		return block.type === 'tool_call'
			? [{ entry: entry.id, is: 'tool', text: `${block.name}: ${subjectOf(block)}` }]
			: [];
	});
}

function promptIn(entry: Entry): Said {
	const { text, isOutput } = prompted(entryText(entry));
	return { entry: entry.id, is: isOutput ? 'other' : 'prompt', text };
}

function isSame(one: Said, other: Said): boolean {
	return one.is === other.is && one.text.trim() === other.text.trim();
}

/** It begins with the same prompt and the same answer: the prompt alone may be one that many sessions begin with. */
function isRelated(session: Session, roots: readonly Node[]): boolean {
	for (const leaf of leavesOf(session)) {
		const [first, second] = [...saidUpTo(session, leaf)].map(([, said]) => said);
		for (const { step, below } of roots) {
			if (!first || !isSame(step, first)) continue;
			if (second === undefined || below.length === 0 || below.some((next) => isSame(next.step, second))) return true;
		}
	}
	return false;
}
