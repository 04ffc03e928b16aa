/** Checks blocks of messages: fields by type, who may hold which, and tool calls with their results. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { pairs } from '../../shared/check/pairs.ts';
import { sayingOf } from '../../shared/check/rules.ts';
import type { Position } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import { blockTables } from './rules.ts';

export interface MessageChecks {
	message(value: JsonObject, at: Position): void;
	end(): void;
}

/** Types of blocks with which a user says something, beside results. */
const spoken = new Set(['text', 'image', 'file', 'media']);

const ofContract = new Set(['text', 'thinking', 'tool_use', 'tool_result']);

export function blockChecks(report: Report): MessageChecks {
	const calls = callChecks(report);
	return {
		message(value, at) {
			const role = value.role;
			// A message that is only shown is never sent, so its calls and results do not count.
			const sent = !isDisplayOnly(value);
			if (sent) calls.turnOf(role);
			if (!Array.isArray(value.content)) return;
			const blocks: readonly Json[] = value.content;
			blocks.forEach((block, index) => {
				const path = `content[${index}]`;
				if (!isObject(block)) {
					notObject(block, path, report);
					return;
				}
				const type = stringAt(block, 'type') ?? '';
				checkBlock(block, type, path, report);
				if (!sent) return;
				checkRole(role, type, path, report);
				if (type === 'tool_use' && role === 'assistant') calls.call(block, at, path);
				if (type === 'tool_result') calls.result(block, at, path);
				else if (role !== 'assistant' && spoken.has(type)) calls.spoke();
			});
		},
		end: calls.end,
	};
}

const say = sayingOf('cline', {
	'block/not-object': ['this block is null: Cline fails every further turn of this session'],
	'image/source': [
		'the image has a `source` instead of `data` and `mediaType`: Cline does not send it and erases it when it next saves',
	],
	'block/thinking-role': ['thinking in a user message: Cline fails every further turn of this session'],
	'block/tool_use-role': ['a tool call in a user message: Cline does not send it'],
	'block/tool_result-role': [
		'a tool result in an assistant message: Cline makes a user message of it when it next saves',
	],
});

function notObject(block: Json, path: string, report: Report): void {
	if (block === null) say(report, 'block/not-object', { path });
	else {
		const message = `${show(block)} is not a block: Cline leaves it out and erases it when it next saves`;
		report('cline/block/type', message, { path });
	}
}

function checkBlock(block: JsonObject, type: string, path: string, report: Report): void {
	if (!Object.hasOwn(blockTables, type)) {
		const message = `a block of type ${show(block.type)} is unknown to Cline: it is not sent, and erased when Cline next saves`;
		report('cline/block/type', message, { path });
		return;
	}
	if (!ofContract.has(type)) {
		const message = `a block of type "${type}" is not in the contract, though Cline writes it`;
		report('cline/block/contract-type', message, { path });
	}
	if (type === 'image' && block.data === undefined && isObject(block.source)) {
		say(report, 'image/source', { path });
		return;
	}
	blockTables[type as keyof typeof blockTables].check(block, report, `${path}.`);
	if (type === 'tool_result' && Array.isArray(block.content)) checkParts(block.content, `${path}.content`, report);
}

/** Checks the parts of a result: Cline reads texts and files, and passes everything else on. */
function checkParts(parts: readonly Json[], path: string, report: Report): void {
	parts.forEach((part, index) => {
		const where = `${path}[${index}]`;
		if (part === null) notObject(part, where, report);
		if (!isObject(part)) return;
		if (part.type === 'text') blockTables.text.check(part, report, `${where}.`);
		else if (part.type === 'file') blockTables.file.check(part, report, `${where}.`);
	});
}

function checkRole(role: Json | undefined, type: string, path: string, report: Report): void {
	const user = role === 'user';
	if (user && (type === 'thinking' || type === 'redacted_thinking')) say(report, 'block/thinking-role', { path });
	if (user && type === 'tool_use') say(report, 'block/tool_use-role', { path });
	if (role === 'assistant' && type === 'tool_result') say(report, 'block/tool_result-role', { path });
}

function callChecks(report: Report) {
	/** The number of the reply that made each call. */
	const madeIn = new Map<string, number>();
	/** For each call without a result, how often the user had spoken when it was made. */
	const open = new Map<string, number>();
	let said = 0;
	let reply = 0;
	let previous: Json | undefined;
	const tell = (rule: string, message: string, at: Position, path: string): void =>
		report(`cline/pair/${rule}`, message, { at, path });
	const rejects = "the model's API rejects the request";
	const interrupted = 'has no result: the run was interrupted, Cline sends "Tool execution was interrupted" for it';
	const pairing = pairs({
		unanswered: (id, at, path) => tell('unanswered', `tool call ${show(id)} ${interrupted}`, at, path),
		orphan: (id, at, path) =>
			tell('orphan', `no call before it has the id ${show(id)}: ${rejects}`, at, `${path}.tool_use_id`),
		repeatedResult: (id, at, path) =>
			tell('repeated-result', `tool call ${show(id)} has a result already: ${rejects}`, at, `${path}.tool_use_id`),
		repeatedCall: (id, at, path) =>
			tell('repeated-call', `another tool call has the id ${show(id)} too: ${rejects}`, at, `${path}.id`),
	});
	return {
		/** The turn of a message: consecutive messages of one role are sent as one. */
		turnOf(role: Json | undefined) {
			if (role === 'assistant' && previous !== 'assistant') reply += 1;
			previous = role;
		},
		call(block: JsonObject, at: Position, path: string) {
			if (typeof block.id !== 'string') return;
			pairing.call(block.id, at, path);
			madeIn.set(block.id, reply);
			open.set(block.id, said);
		},
		spoke() {
			said += 1;
		},
		result(block: JsonObject, at: Position, path: string) {
			const id = block.tool_use_id;
			if (typeof id !== 'string') return;
			pairing.result(id, at, path);
			const spokenBefore = (open.get(id) ?? said) < said;
			open.delete(id);
			const late = spokenBefore
				? `the user's text stands before this result of ${show(id)}: Cline fails every further turn of this session`
				: `the model replied again before this result of ${show(id)}: ${rejects}`;
			const repliedBefore = (madeIn.get(id) ?? reply) < reply;
			if (spokenBefore || repliedBefore) tell('late', late, at, `${path}.tool_use_id`);
		},
		end: () => pairing.end(),
	};
}
