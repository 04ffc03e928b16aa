/** Makes the messages of a session in Clido's own shapes, as it does on resume. */
import type { EntryId } from '../../../model/index.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import type { ContentBlock, SessionLine, ToolResultBlock } from '../lines.ts';
import { typedLines } from '../read/typed-lines.ts';
import { unanswered } from './unanswered.ts';

export interface ClidoMessage {
	readonly role: 'user' | 'assistant';
	readonly content: readonly ContentBlock[];
	/** The entries that it was made from; empty for a message that Clido adds itself. */
	readonly from: readonly EntryId[];
}

export type Resumed =
	| { readonly ok: true; readonly messages: readonly ClidoMessage[] }
	| { readonly ok: false; readonly refused: string };

/** The messages; with `at`, as if the file ended with that entry. */
export function contextMessages(index: LineIndex, at?: EntryId): Resumed {
	if (!index.records || index.partial)
		throw new Error('Clido loads all lines of a file or none: its context needs an index with all records');
	const read = typedLines();
	const history = gatherMessages();
	let notLoaded: string | undefined;
	let notResumed: string | undefined;
	let found = false;
	index.records((line) => {
		const typed = read(line);
		const id = `line:${line.line}`;
		found = id === at;
		if (typed.ok) history.add(typed.line, id);
		// Clido loads before it resumes, so it complains about a later line that does not load first.
		else if (typed.loads) notResumed ??= `line ${line.line}: ${typed.why}`;
		else notLoaded = `line ${line.line}: ${typed.why}`;
		return !found && notLoaded === undefined;
	});
	const refused = notLoaded ?? notResumed;
	if (refused !== undefined) return { ok: false, refused };
	if (at !== undefined && !found) return { ok: false, refused: `this session has no entry ${at}` };
	return { ok: true, messages: answerCalls(history.end()) };
}

interface Gathering {
	add(line: SessionLine, id: EntryId): void;
	end(): readonly ClidoMessage[];
}

/** Gathers messages: result lines become one message before the next, whatever other lines are between them. */
function gatherMessages(): Gathering {
	const messages: ClidoMessage[] = [];
	let results: ToolResultBlock[] = [];
	let from: EntryId[] = [];

	function flush(): void {
		if (results.length === 0) return;
		messages.push({ role: 'user', content: results, from });
		results = [];
		from = [];
	}

	return {
		add(line, id) {
			if (line.type === 'user_message' || line.type === 'assistant_message') {
				flush();
				const role = line.type === 'user_message' ? 'user' : 'assistant';
				messages.push({ role, content: line.content.map(knownFields), from: [id] });
			} else if (line.type === 'tool_result') {
				results.push(result(line.tool_use_id, line.content, line.is_error));
				from.push(id);
			}
		},
		end() {
			flush();
			return messages;
		},
	};
}

/** The block without keys that the client does not know, which it drops. */
function knownFields(block: ContentBlock): ContentBlock {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'tool_use':
			return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
		case 'tool_result':
			return result(block.tool_use_id, block.content, block.is_error);
		case 'thinking':
			return { type: 'thinking', thinking: block.thinking };
		case 'image':
			return { type: 'image', media_type: block.media_type, base64_data: block.base64_data };
	}
}

function result(tool_use_id: string, content: string, is_error: boolean): ToolResultBlock {
	return { type: 'tool_result', tool_use_id, content, is_error };
}

/** Adds a result for each call that the next message does not answer. Later answers do not count. */
function answerCalls(messages: readonly ClidoMessage[]): readonly ClidoMessage[] {
	const answered: ClidoMessage[] = [];
	let missing: readonly ToolResultBlock[] = [];
	for (const [i, message] of messages.entries()) {
		const extended = missing.length > 0 && hasResults(message);
		if (missing.length > 0 && !extended) answered.push({ role: 'user', content: missing, from: [] });
		answered.push(extended ? { ...message, content: [...message.content, ...missing] } : message);
		missing = message.role === 'assistant' ? missingResults(message, messages[i + 1]) : [];
	}
	if (missing.length > 0) answered.push({ role: 'user', content: missing, from: [] });
	return answered;
}

function hasResults({ role, content }: ClidoMessage): boolean {
	return role === 'user' && content.some((block) => block.type === 'tool_result');
}

/** The missing results in the order of the calls; a call id that occurs twice gets two. */
function missingResults(message: ClidoMessage, next: ClidoMessage | undefined): readonly ToolResultBlock[] {
	const given = new Set<string>();
	if (next?.role === 'user') {
		for (const block of next.content) if (block.type === 'tool_result') given.add(block.tool_use_id);
	}
	return message.content.flatMap((block) =>
		block.type === 'tool_use' && !given.has(block.id) ? [result(block.id, unanswered, true)] : [],
	);
}
