/** Decodes Claude Code's lines: which decoder takes each type, what the session's header takes from them, and which title wins. */
import { type Entry, type Header, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { DecodeSink, LineDecoder } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import type { Line } from '../../shared/read/line.ts';
import { flawEffects } from '../check/rules.ts';
import { dialectOf, isSettingType } from '../lines.ts';
import { besideEntry, settingEntry } from './beside.ts';
import { opaque, timeOf } from './common.ts';
import { assistantEntry, plainPrompt, userEntry } from './messages.ts';
import { attachmentEntry, progressEntry, systemEntry } from './system.ts';

/** What is known of the session so far. Titles have ranks: the user's own, a made-up one, a summary. */
interface State {
	id?: string;
	dialect?: string;
	cwd?: string;
	version?: string;
	gitBranch?: string;
	created?: string;
	model?: string;
	titleRank: number;
	/** The sub-agent whose own file this is; `null` once a line has shown that it is none. */
	agent?: string | null;
	/** The boundary of a compaction that no other line of the conversation has come after yet. */
	cut?: string;
}

export function decoder(from?: Json): LineDecoder {
	const state = restore(from);
	return {
		visit(line, sink) {
			if (line.flaws.length > 0) reportFlaws('claude-code', flawEffects, line, sink.issue);
			const { value } = line;
			if (!value) return '';
			const type = stringAt(value, 'type') ?? '';
			noteHeader(state, value, type, sink);
			const prompt = sink.prompt && type === 'user' ? plainPrompt(value) : undefined;
			if (prompt === undefined) sink.entry(behindCut(entryOf(line, value, type, state), state));
			else sink.prompt?.(prompt);
			return type;
		},
		state: () => ({ ...state }),
	};
}

function restore(from: Json | undefined): State {
	const state: State = { titleRank: 0 };
	if (!isObject(from)) return state;
	for (const key of ['id', 'dialect', 'cwd', 'version', 'gitBranch', 'created', 'model', 'cut'] as const) {
		const value = from[key];
		if (typeof value === 'string') state[key] = value;
	}
	if (typeof from.titleRank === 'number') state.titleRank = from.titleRank;
	if (typeof from.agent === 'string' || from.agent === null) state.agent = from.agent;
	return state;
}

function entryOf(line: Line, value: JsonObject, type: string, state: State): Entry {
	switch (type) {
		case 'user':
			return userEntry(line, value);
		case 'assistant':
			return assistantEntry(line, value);
		case 'system':
			return systemEntry(line, value);
		case 'progress':
			return progressEntry(line, value);
		case 'attachment':
			return attachmentEntry(line, value);
		case '':
			return opaque(line, value, 'unknown');
	}
	if (isSettingType(type)) return settingEntry(line, value, type, state.titleRank === 3 && type === 'ai-title');
	return besideEntry(line, value, type);
}

/** By the document a conversation goes on from a new root behind a boundary: nothing but its place says what it follows. */
function behindCut(entry: Entry, state: State): Entry {
	if (entry.parent === undefined || entry.agent !== undefined) return entry;
	const { cut } = state;
	if (entry.kind === 'compaction') state.cut = entry.id;
	else delete state.cut;
	const isRoot = entry.parent === null && entry.logicalParent === undefined;
	return cut !== undefined && isRoot ? { ...entry, logicalParent: cut } : entry;
}

type Patch = { -readonly [K in keyof Header]: Header[K] | undefined };

function noteHeader(state: State, value: JsonObject, type: string, sink: DecodeSink): void {
	const patch: Patch = {};
	const dialect = dialectOf(type);
	if (state.dialect === undefined || (dialect === 'extended' && state.dialect !== dialect)) {
		patch.dialect = state.dialect = dialect;
	}
	if (state.id === undefined && typeof value.sessionId === 'string') patch.id = state.id = value.sessionId;
	if (state.cwd === undefined && typeof value.cwd === 'string') patch.cwd = state.cwd = value.cwd;
	if (state.created === undefined) {
		const time = timeOf(stringAt(value, 'timestamp'));
		if (time !== undefined) patch.created = state.created = time;
	}
	if (type === 'user' || type === 'assistant') {
		noteMessage(state, value, type, patch);
		noteAgent(state, value, patch);
	}
	noteTitle(state, value, type, patch);
	for (const _ in patch) {
		sink.header(patch as Header);
		return;
	}
}

function noteMessage(state: State, value: JsonObject, type: string, patch: Patch): void {
	const { version, gitBranch } = value;
	if (typeof version === 'string' && version !== state.version) patch.version = state.version = version;
	if (typeof gitBranch === 'string' && gitBranch !== state.gitBranch) patch.gitBranch = state.gitBranch = gitBranch;
	if (type !== 'assistant' || !isObject(value.message)) return;
	const { model } = value.message;
	if (typeof model === 'string' && model !== '<synthetic>' && model !== state.model) patch.model = state.model = model;
}

const titles: { readonly [type: string]: readonly [rank: number, field: string] } = {
	summary: [1, 'summary'],
	'ai-title': [2, 'aiTitle'],
	'custom-title': [3, 'customTitle'],
};

function noteTitle(state: State, value: JsonObject, type: string, patch: Patch): void {
	const title = Object.hasOwn(titles, type) ? titles[type] : undefined;
	if (!title || title[0] < state.titleRank) return;
	const text = stringAt(value, title[1]);
	if (text === undefined) return;
	state.titleRank = title[0];
	// By the document a summary line may hold the whole summary: then its heading is the title.
	patch.title = /^# +(\S.*)\n/.exec(text)?.[1] ?? text;
}

/** Notes whose file it is: a sub-agent's while all messages are sidechain lines of it; `undefined` revokes that. */
function noteAgent(state: State, value: JsonObject, patch: Patch): void {
	if (state.agent === null) return;
	const agent = value.isSidechain === true ? stringAt(value, 'agentId') : undefined;
	if (agent !== undefined && state.agent === agent) return;
	if (agent !== undefined && state.agent === undefined) {
		state.agent = agent;
		patch.agent = agent;
		const session = state.id;
		if (session !== undefined) patch.from = { how: 'subagent', session };
		return;
	}
	if (state.agent !== undefined) {
		patch.agent = undefined;
		patch.from = undefined;
	}
	state.agent = null;
}
