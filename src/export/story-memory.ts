/** Makes the story of a session in memory, with the same parts as one from a file of lines. */
import {
	BranchFinder,
	type Entry,
	recordBytes,
	type Session,
	type SessionRecord,
	type Subagent,
	type ToolResultBlock,
} from '../model/index.ts';
import type { Outline } from '../store/reader/outline.ts';
import { isToldBeside, type Story, type StoryOptions, type SubagentStory, storyOn } from './story.ts';

export function storyOf(session: Session, options: StoryOptions = {}): Story {
	const { id, format, header, source } = session;
	const subagents = options.subagents ? session.subagents : [];
	const open = (one: Subagent): SubagentStory => subagentStory(one, subagents, options);
	return storyOn(outlineIn(session, options), options, {
		id,
		format,
		header,
		name: id,
		bytes: (record) => recordBytes(source, record),
		subagents: subagents.map(open),
		subagentsOf: (call) => subagents.filter((one) => one.call === call).map(open),
		[Symbol.dispose]: () => undefined,
	});
}

/** It may have started some of the others. */
function subagentStory(
	{ id, session }: Subagent,
	subagents: readonly Subagent[],
	{ events }: StoryOptions,
): SubagentStory {
	return { id, open: () => storyOf({ ...session, subagents }, { events: events === true, subagents: true }) };
}

function outlineIn(session: Session, options: StoryOptions): Outline {
	const finder = new BranchFinder();
	const entries: Entry[] = [];
	const beside: number[] = [];
	const answers = new Map<string, { readonly block: ToolResultBlock; readonly entry: Entry }>();
	for (const entry of session.entries) {
		const position = finder.add(entry);
		entries[position] = entry;
		if (isToldBeside(entry, options)) beside.push(position);
		// Clients put results on side branches of the graph, so the whole file is looked at.
		for (const block of entry.kind === 'message' ? entry.content : [])
			if (block.type === 'tool_result') answers.set(block.call, { block, entry });
	}
	for (const [id, parent] of session.bridges ?? []) finder.bridge(id, parent);
	return {
		header: session.header,
		issues: session.issues,
		leaf: session.leaf,
		ids: () => entries.map(({ id }) => id),
		told: (leaf) => finder.told(leaf),
		forks: (path) => finder.forks(path),
		beside,
		entry: (position) => entries[position],
		record: (position) => session.records[entries[position]?.records[0] ?? -1] as SessionRecord,
		answer: (call) => answers.get(call),
	};
}
