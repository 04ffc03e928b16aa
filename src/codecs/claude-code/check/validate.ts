/** Checks Claude Code's files line by line: types, blocks that the API takes, ids of calls and sessions, versions that are too new. `chain.ts` checks the graph. */
import { crc32 } from 'node:zlib';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import { isUuid } from '../../shared/write/derive.ts';
import { isKnownType, publishedTypes } from '../lines.ts';
import { referenceType } from '../write/own-fields.ts';
import { checkChain } from './chain.ts';
import { blockTables, lineTables, progressTables, systemTables } from './field-tables.ts';
import { type Node, noRefs, type Pointer, type ToolRef } from './nodes.ts';
import { flawEffects } from './rules.ts';

export function validator(report: Report): LineValidator {
	const nodes = new Map<string, Node>();
	const unreadable: Position[] = [];
	const summaries: { leaf: string; at: Position }[] = [];
	const snapshots = new Set<string>();
	const loose: Position[] = [];
	const anonymous: Position[] = [];
	const pointers: Pointer[] = [];
	const once = onceRules(report);

	function visit(line: Line): void {
		if (line.flaws.length > 0) {
			reportFlaws('claude-code', flawEffects, line, report);
			if (line.flaws.includes('not-json') || line.flaws.includes('too-long')) unreadable.push(positionOf(line));
		}
		const { value } = line;
		if (!value) return;
		const { type } = value;
		if (typeof type !== 'string') {
			const what = type === undefined ? 'is missing' : `should be a string, but is ${show(type)}`;
			report('claude-code/type', `\`type\` ${what}: Claude Code skips this line`, { path: 'type' });
			return;
		}
		once.see(value, type);
		lineTables.get(type)?.check(value, report);
		if (type === 'system') systemTables.get(stringAt(value, 'subtype') ?? '')?.check(value, report);
		else if (type === 'progress') checkProgress(value, report);
		else if (type === 'file-history-snapshot') snapshots.add(stringAt(value, 'messageId') ?? '');
		else noteLeaf(line, value, type);
		place(line, value, type);
	}

	function noteLeaf(line: Line, value: JsonObject, type: string): void {
		const { leafUuid: leaf } = value;
		if (leaf === undefined) return;
		if (type === 'summary' && typeof leaf === 'string') summaries.push({ leaf, at: positionOf(line) });
		else if (type === 'last-prompt') pointers.push({ leaf, explicit: value.explicit === true, at: positionOf(line) });
	}

	function place(line: Line, value: JsonObject, type: string): void {
		const isMessage = type === 'user' || type === 'assistant';
		const content = isMessage ? checkContent(value, type, report) : noContent;
		if (type === 'assistant' && typeof objectAt(value, 'message')?.id !== 'string') anonymous.push(positionOf(line));
		if (typeof value.uuid !== 'string') {
			if (isMessage && value.isSidechain !== true) loose.push(positionOf(line));
			return;
		}
		const node = nodeOf(line, value, type, content);
		const before = nodes.get(node.uuid);
		if (before) {
			reportDuplicate(before, node, report);
			nodes.delete(node.uuid);
		}
		nodes.set(node.uuid, node);
	}

	return {
		visit,
		end() {
			checkChain({ nodes, pointers, unreadable, summaries, snapshots, loose, anonymous }, report);
		},
	};
}

function reportDuplicate(before: Node, node: Node, report: Report): void {
	const same = before.length === node.length && before.sum === node.sum;
	const where = { path: 'uuid' };
	if (same) report('claude-code/repeated-line', `this line repeats line ${before.at.line}`, where);
	else {
		const message = `\`uuid\` ${show(node.uuid)} is that of line ${before.at.line} too: Claude Code keeps this line and loses the other`;
		report('claude-code/duplicate-uuid', message, where);
	}
}

interface Content {
	readonly calls: readonly ToolRef[];
	readonly results: readonly ToolRef[];
	/** True when the message has more than tool results. */
	readonly speaks: boolean;
}

const noContent: Content = { calls: noRefs, results: noRefs, speaks: false };

function nodeOf(line: Line, value: JsonObject, type: string, content: Content): Node {
	const message = objectAt(value, 'message');
	const response = message && stringAt(message, 'id');
	const request = stringAt(value, 'requestId');
	const time = stringAt(value, 'timestamp');
	return {
		uuid: value.uuid as string,
		parent: typeof value.parentUuid === 'string' ? value.parentUuid : null,
		at: positionOf(line),
		length: line.length,
		sum: crc32(line.bytes),
		type,
		...(value.isSidechain === true ? { agent: stringAt(value, 'agentId') ?? '' } : {}),
		time: time === undefined ? Number.NaN : Date.parse(time),
		isMessage: type === 'user' || type === 'assistant',
		isPrompt: type === 'user' && content.speaks,
		...boundaryOf(value, type),
		isCompactSummary: value.isCompactSummary === true,
		calls: content.calls,
		results: content.results,
		...(type === 'assistant' && response !== undefined ? { response } : {}),
		...(type === 'assistant' && request !== undefined ? { request } : {}),
	};
}

function boundaryOf(value: JsonObject, type: string): Pick<Node, 'isBoundary' | 'metadata'> {
	if (type !== 'system' || value.subtype !== 'compact_boundary') return { isBoundary: false };
	const metadata = objectAt(value, 'compactMetadata');
	return { isBoundary: true, ...(metadata ? { metadata } : {}) };
}

function checkProgress(value: JsonObject, report: Report): void {
	const data = objectAt(value, 'data');
	if (data) progressTables.get(stringAt(data, 'type') ?? '')?.check(value, report);
}

function checkContent(value: JsonObject, type: 'user' | 'assistant', report: Report): Content {
	const content = objectAt(value, 'message')?.content;
	const path = 'message.content';
	if (typeof content === 'string') {
		if (type === 'assistant') {
			const message = 'the content of a reply is a string: Claude Code 2.1.29 refuses the file; write a list of blocks';
			report('claude-code/assistant-string', message, { path });
		}
		if (content === '') report('claude-code/empty-content', emptyMessage, { path });
		return { calls: noRefs, results: noRefs, speaks: true };
	}
	if (!Array.isArray(content)) return { calls: noRefs, results: noRefs, speaks: true };
	if (content.length === 0) report('claude-code/empty-content', emptyMessage, { path });
	return checkBlocks(content as readonly Json[], type, report);
}

const emptyMessage = 'the message is empty: Claude Code leaves it out, and what it answers stands alone';

function checkBlocks(content: readonly Json[], type: 'user' | 'assistant', report: Report): Content {
	const calls: ToolRef[] = [];
	const results: ToolRef[] = [];
	content.forEach((block, index) => {
		const path = `message.content[${index}]`;
		if (!isObject(block)) {
			const message = `the block is ${show(block)}, not an object: Claude Code 2.1.29 refuses the file`;
			report('claude-code/block-object', message, { path });
			return;
		}
		checkBlock(block, path, report);
		if (block.type === 'tool_use' && typeof block.id === 'string') calls.push({ id: block.id, path });
		else if (block.type === 'tool_result' && typeof block.tool_use_id === 'string')
			results.push({ id: block.tool_use_id, path });
	});
	if (type === 'assistant' && content.length > 1) {
		const message = `${content.length} blocks in one line: the document wants one line per block, and Claude Code 2.1.29 appends a split copy when it resumes`;
		report('claude-code/one-block', message, { path: 'message.content' });
	}
	if (results.length > 1) {
		const message = `${results.length} tool results in one line: the document wants one line per result`;
		report('claude-code/one-result', message, { path: 'message.content' });
	}
	return { calls, results, speaks: content.length === 0 || results.length < content.length };
}

/** Types of blocks that the API is known to take. */
const apiBlocks: ReadonlySet<string> = new Set([
	'text',
	'thinking',
	'redacted_thinking',
	'tool_use',
	'tool_result',
	'image',
	'document',
	'search_result',
	'server_tool_use',
	'web_search_tool_result',
	'web_fetch_tool_result',
	'code_execution_tool_result',
	'bash_code_execution_tool_result',
	'text_editor_code_execution_tool_result',
	'tool_search_tool_result',
	'tool_reference',
	'mcp_tool_use',
	'mcp_tool_result',
	'container_upload',
]);

const toolId = /^[a-zA-Z0-9_-]{1,64}$/;

function checkBlock(block: JsonObject, path: string, report: Report): void {
	const type = stringAt(block, 'type') ?? '';
	blockTables.get(type)?.check(block, report, `${path}.`);
	if (!apiBlocks.has(type)) {
		const message = `the block type ${show(block.type)} is not known: Claude Code sends it as it is, and the API may reject it`;
		report('claude-code/unknown-block', message, { path: `${path}.type` });
	}
	if (type === 'text' && typeof block.text === 'string' && block.text.trim() === '') {
		const message = 'the text is blank: Claude Code 2.1.29 sends it and the API rejects it; 2.1.325 leaves it out';
		report('claude-code/blank-text', message, { path: `${path}.text` });
	}
	if (type === 'thinking' && block.signature === '') {
		const message = 'the signature is empty: the API rejects it while thinking is on';
		report('claude-code/thinking-signature', message, { path: `${path}.signature` });
	}
	const id = type === 'tool_use' ? 'id' : type === 'tool_result' ? 'tool_use_id' : undefined;
	const text = id && block[id];
	if (id && typeof text === 'string' && !toolId.test(text)) {
		const message = `the API rejects the tool call id ${show(text)}: use at most 64 letters, digits, \`_\` and \`-\``;
		report('claude-code/tool-id', message, { path: `${path}.${id}` });
	}
}

const listedStops: ReadonlySet<Json | undefined> = new Set([undefined, null, 'tool_use', 'end_turn', 'stop_sequence']);

/** Rules about many lines, each reported once. */
function onceRules(report: Report): { see(value: JsonObject, type: string): void } {
	const types = new Set<string>();
	let session: string | undefined;
	let sessionsDiffer = false;
	let version: string | undefined;
	let versionSaid = false;

	function seeSession(id: string): void {
		if (session === undefined) {
			session = id;
			if (isUuid(id)) return;
			const message = `the session id ${show(id)} is not a UUID: \`claude -p --resume\` refuses it`;
			report('claude-code/session-uuid', message, { path: 'sessionId' });
		} else if (id !== session && !sessionsDiffer) {
			sessionsDiffer = true;
			const message = `the line belongs to session ${show(id)}, the lines before to ${show(session)}`;
			report('claude-code/session-ids', message, { path: 'sessionId' });
		}
	}

	function seeVersion(text: string): void {
		version = text;
		const [major = 0, minor = 0] = text.split('.').map(Number);
		if (versionSaid || !(major > 2 || (major === 2 && minor > 1))) return;
		versionSaid = true;
		const message = `written by version ${show(text)}: newer than what is known here (2.1), so parts may be read as opaque lines`;
		report('claude-code/newer-version', message, { path: 'version' });
	}

	return {
		see(value, type) {
			if (!publishedTypes.has(type)) seeType(types, type, report);
			if (typeof value.sessionId === 'string' && value.sessionId !== session) seeSession(value.sessionId);
			if (typeof value.version === 'string' && value.version !== version) seeVersion(value.version);
			seeMessage(value, type, report);
		},
	};
}

function seeType(types: Set<string>, type: string, report: Report): void {
	if (types.has(type)) return;
	types.add(type);
	if (isKnownType(type) || type === referenceType) {
		report('claude-code/not-published', `the document does not know lines of type ${show(type)}`, { path: 'type' });
	} else {
		const message = `no known version writes lines of type ${show(type)}: Claude Code ignores them`;
		report('claude-code/unknown-type', message, { path: 'type' });
	}
}

function seeMessage(value: JsonObject, type: string, report: Report): void {
	if (value.isSidechain === true && typeof value.agentId !== 'string') {
		report('claude-code/sidechain-agent', 'the line is a sub-agent’s, but `agentId` does not say whose', {
			path: 'agentId',
		});
	}
	if (type === 'system' && value.subtype === 'compact_boundary' && typeof value.parentUuid === 'string') {
		report('claude-code/boundary-root', '`parentUuid` of a compaction boundary should be null', { path: 'parentUuid' });
	}
	if (type !== 'assistant') return;
	const stop = objectAt(value, 'message')?.stop_reason;
	if (!listedStops.has(stop)) {
		const message = `the document does not list the stop reason ${show(stop)}`;
		report('claude-code/stop-reason', message, { path: 'message.stop_reason' });
	}
}
