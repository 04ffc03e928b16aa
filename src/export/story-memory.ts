/** The story of a session that is in memory. */
import {
	BranchFinder,
	byId,
	type Entry,
	interleaved,
	recordBytes,
	type Session,
	type Subagent,
	type ToolResultBlock,
} from '../model/index.ts';
import { entryNamed, isToldBeside, type Story, type StoryOptions, type SubagentStory, unreadableIn } from './story.ts';

export function storyOf(session: Session, options: StoryOptions = {}): Story {
	const { at } = options;
	const known = byId(session);
	const leaf = at === undefined ? session.leaf : entryNamed(known.keys(), at, session.id);
	const finder = new BranchFinder();
	for (const entry of session.entries) finder.add(entry);
	for (const [id, parent] of session.bridges ?? []) finder.bridge(id, parent);
	const onPath = leaf === null ? [] : finder.told(leaf);
	const path = onPath.flatMap((position) => known.get(finder.idOf(position)) ?? []);
	const entries = withBeside(session, path, options);
	const answers = answersIn(session.entries);
	const forks = finder.forks(onPath);
	const subagents = options.subagents ? session.subagents : [];
	return {
		id: session.id,
		format: session.format,
		header: session.header,
		length: entries.length,
		unreadable: unreadableIn(session.issues),
		entry: (place) => entries[place],
		record: (place) => recordOf(session, entries[place]),
		answer: (call) => answers.get(call),
		branchesAfter: (entry) => forks.get(entry) ?? [],
		whole: options.at === undefined,
		subagents: subagents.map((one) => subagentStory(one, options)),
		subagentsOf: (call) => subagents.filter((one) => one.call === call).map((one) => subagentStory(one, options)),
		[Symbol.dispose]: () => undefined,
	};
}

function subagentStory({ id, session }: Subagent, { events }: StoryOptions): SubagentStory {
	return { id, open: () => storyOf(session, { events: events === true }) };
}

function withBeside(session: Session, path: readonly Entry[], options: StoryOptions): readonly Entry[] {
	const places = new Map(session.entries.map((entry, place) => [entry, place]));
	const end = options.at === undefined ? Number.POSITIVE_INFINITY : (places.get(path.at(-1) as Entry) ?? 0);
	const order = (entry: Entry) => places.get(entry) ?? 0;
	const beside = session.entries.filter((entry) => isToldBeside(entry, options) && order(entry) < end);
	const known = new Set(path);
	return interleaved(
		path,
		beside.filter((entry) => !known.has(entry)),
		order,
	);
}

function recordOf({ records, source }: Session, entry: Entry | undefined): ReturnType<Story['record']> {
	const record = records[entry?.records[0] ?? -1];
	return record && { index: record.index, bytes: () => recordBytes(source, record) };
}

/** Clients put results on side branches of the graph, so the whole file is looked at. */
function answersIn(entries: readonly Entry[]): ReadonlyMap<string, ToolResultBlock> {
	const found = new Map<string, ToolResultBlock>();
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) if (block.type === 'tool_result') found.set(block.call, block);
	}
	return found;
}
