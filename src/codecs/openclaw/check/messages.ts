/** Checks one message of pi's files: fields and blocks by its role, signatures, and whether token counts and costs add up. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { parseJson } from '../../shared/read/parse.ts';
import { type Dialect, isKnownRole } from '../lines.ts';
import { blockTables, messageTables, roleTables, usageTable } from './field-tables.ts';
import type { Node, ToolUse } from './tree.ts';

type Seen = Omit<Node, 'id' | 'parent' | 'at'>;

const nothing: Seen = { says: 'nothing' };
const prompt: Seen = { says: 'prompt' };

/** Checks a message and returns what the check of the tree needs. `prefix` is its path in the line. */
export function checkMessage(message: JsonObject, prefix: string, dialect: Dialect, report: Report): Seen {
	switch (message.role) {
		case 'user':
			// Content of another kind has a rule of its own.
			if (typeof message.timestamp !== 'number' || message.content == null) {
				messageTables.user.check(message, report, prefix);
			}
			checkContent(message, true, prefix, inUser, report);
			return prompt;
		case 'assistant':
			return checkAssistant(message, prefix, report);
		case 'toolResult':
			return checkToolResult(message, prefix, report);
		default:
			return checkOtherRole(message, prefix, dialect, report);
	}
}

function checkOtherRole(message: JsonObject, prefix: string, dialect: Dialect, report: Report): Seen {
	const role = message.role;
	const path = `${prefix}role`;
	if (typeof role !== 'string' || role === '') {
		report('openclaw/role-missing', 'the message has no `role`: the client leaves it out', { path });
		return nothing;
	}
	if (role === 'hookMessage' && dialect !== 'v1' && dialect !== 'v2' && dialect !== 'bare') {
		const say = 'the client knows `hookMessage` only in files of version 2 and leaves the message out';
		report('openclaw/hook-message', say, { path });
	} else if (!isKnownRole(role)) {
		const say = `${show(role)} is a role of an application: the client does not send the message`;
		report('openclaw/role-unknown', say, { path });
		return nothing;
	}
	if (Object.hasOwn(roleTables, role)) roleTables[role]?.check(message, report, prefix);
	if (role === 'custom' || role === 'hookMessage') contentProblem(message.content, true, `${prefix}content`, report);
	const sent = role !== 'system' && message.excludeFromContext !== true;
	return sent ? prompt : nothing;
}

function checkAssistant(message: JsonObject, prefix: string, report: Report): Seen {
	messageTables.assistant.check(message, report, prefix);
	const calls = checkContent(message, false, prefix, inAssistant, report);
	if (isObject(message.usage)) checkUsage(message.usage, `${prefix}usage.`, report);
	if (typeof message.api === 'string' && message.api.includes('responses')) checkSignatures(message, prefix, report);
	const omitted = message.stopReason === 'error' || message.stopReason === 'aborted';
	if (calls === undefined) return { says: 'reply' };
	const strict = typeof message.api === 'string' && /^(anthropic|bedrock)/.test(message.api);
	return { says: 'reply', calls, strict, omitted };
}

function checkToolResult(message: JsonObject, prefix: string, report: Report): Seen {
	messageTables.toolResult.check(message, report, prefix);
	checkContent(message, false, prefix, inUser, report);
	const id = stringAt(message, 'toolCallId');
	return id === undefined ? nothing : { says: 'nothing', result: { id, path: `${prefix}toolCallId` } };
}

/** True when content cannot be read at all. Null counts as empty, as it does for pi. */
export function contentProblem(content: Json | undefined, text: boolean, path: string, report: Report): boolean {
	if (content == null || Array.isArray(content) || (text && typeof content === 'string')) return false;
	const say = `\`content\` should be an array of blocks, but is ${show(content)}: every later request of the session fails`;
	report('openclaw/content-shape', say, { path });
	return true;
}

const inUser: ReadonlySet<string> = new Set(['text', 'image']);
const inAssistant: ReadonlySet<string> = new Set(['text', 'thinking', 'toolCall']);

function checkContent(
	message: JsonObject,
	text: boolean,
	prefix: string,
	allowed: ReadonlySet<string>,
	report: Report,
): readonly ToolUse[] | undefined {
	const content = message.content;
	if (contentProblem(content, text, `${prefix}content`, report) || !Array.isArray(content)) return undefined;
	let calls: ToolUse[] | undefined;
	const items = content as readonly Json[];
	for (let index = 0; index < items.length; index++) {
		const block = items[index] as Json;
		if (!isObject(block)) {
			const say = `a content block should be an object, but is ${show(block)}: every later request of the session fails`;
			report('openclaw/block-object', say, { path: `${prefix}content[${index}]` });
			continue;
		}
		checkBlock(block, allowed, `${prefix}content[${index}]`, report);
		if (block.type === 'toolCall' && typeof block.id === 'string' && allowed.has('toolCall')) {
			calls ??= [];
			calls.push({ id: block.id, path: `${prefix}content[${index}].id` });
		}
	}
	return calls;
}

function checkBlock(block: JsonObject, allowed: ReadonlySet<string>, path: string, report: Report): void {
	const type = stringAt(block, 'type') ?? '';
	if (allowed.has(type)) {
		blockTables[type as keyof typeof blockTables].check(block, report, `${path}.`);
	} else if (allowed === inUser) {
		const say = `a message of this role has no ${show(block.type)} block: pi sends it as an image, and the model's API refuses it`;
		report('openclaw/block-unsendable', say, { path: `${path}.type` });
	} else if (Object.hasOwn(blockTables, type)) {
		report('openclaw/block-place', `a reply has no \`${type}\` block: the client does not send it`, { path });
	} else {
		const say = `${show(block.type)} is no block type of the document: the client does not send it`;
		report('openclaw/block-type', say, { path: `${path}.type` });
	}
}

/** Checks signatures of thinking, which pi parses when it sends a block back to the same model. */
function checkSignatures(message: JsonObject, prefix: string, report: Report): void {
	if (!Array.isArray(message.content)) return;
	(message.content as readonly Json[]).forEach((block, index) => {
		if (!isObject(block) || block.type !== 'thinking' || typeof block.thinkingSignature !== 'string') return;
		if (block.thinkingSignature === '' || isObject(parseJson(block.thinkingSignature))) return;
		const say = 'the signature is not a reasoning item in JSON: pi fails on every later request to the same model';
		report('openclaw/signature-json', say, { path: `${prefix}content[${index}].thinkingSignature` });
	});
}

/** Checks usage. The document's total is input and output, the clients' is all four counts; either is valid. */
export function checkUsage(usage: JsonObject, prefix: string, report: Report): void {
	usageTable.check(usage, report, prefix);
	const [counts, total] = countsIn(usage, 'totalTokens');
	if (counts) {
		const [plain, all] = [sum(counts.slice(0, 2)), sum(counts)];
		if (total !== plain && total !== all) {
			const say = `\`totalTokens\` is ${total}, but the counts add up to ${all} (${plain} without the cache)`;
			report('openclaw/usage-total', say, { path: `${prefix}totalTokens` });
		}
	}
	if (isObject(usage.cost)) checkCost(usage.cost, prefix, report);
}

function checkCost(cost: JsonObject, prefix: string, report: Report): void {
	const [parts, total = 0] = countsIn(cost, 'total');
	const all = sum(parts ?? []);
	if (all === 0 || Math.abs(all - total) <= 1e-6 + all * 0.01) return;
	const say = `\`cost.total\` is ${total}, but its parts add up to ${all}`;
	report('openclaw/usage-cost', say, { path: `${prefix}cost.total` });
}

/** Input, output, cache reads and cache writes, with their total; empty where one of them is no number. */
function countsIn(value: JsonObject, total: string): readonly [counts?: readonly number[], total?: number | undefined] {
	const found = [value.input, value.output, value.cacheRead, value.cacheWrite, value[total]];
	const numbers = found.filter((one) => typeof one === 'number');
	return numbers.length === found.length ? [numbers.slice(0, -1), numbers.at(-1)] : [];
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((a, b) => a + b, 0);
}
