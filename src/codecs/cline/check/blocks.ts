/** Blocks of messages: fields by type, who may hold which, and tool calls with their results. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { pairs } from '../../shared/check/pairs.ts';
import type { Position } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import { blockTables } from './rules.ts';

export interface MessageChecks {
	message(value: JsonObject, at: Position): void;
	end(): void;
}

/** Blocks that make a user's message one that says something, beside results. */
const spoken = new Set(['text', 'image', 'file', 'media']);

const ofContract = new Set(['text', 'thinking', 'tool_use', 'tool_result']);

export function blockChecks(report: Report): MessageChecks {
	const calls = callChecks(report);
	return {
		message(value, at) {
			const role = value.role;
			// What is only shown is never sent, so nothing in it answers or asks anything.
			const sent = !isDisplayOnly(value);
			if (sent) calls.turnOf(role);
			if (!Array.isArray(value.content)) return;
			const blocks: readonly Json[] = value.content;
			blocks.forEach((block, index) => {
				const path = `content[${index}]`;
				if (!isObject(block)) {
					notObject(block, path, at, report);
					return;
				}
				const type = stringAt(block, 'type') ?? '';
				checkBlock(block, type, path, at, report);
				if (sent) checkRole(role, type, path, at, report);
				if (!sent) return;
				if (type === 'tool_use' && role === 'assistant') calls.call(block, at, path);
				if (type === 'tool_result') calls.result(block, at, path);
				else if (role !== 'assistant' && spoken.has(type)) calls.spoke();
			});
		},
		end: calls.end,
	};
}

function notObject(block: Json, path: string, at: Position, report: Report): void {
	if (block === null) {
		report('cline/block/not-object', 'this block is null: Cline fails every further turn of this session', {
			at,
			path,
		});
	} else {
		report('cline/block/type', `${show(block)} is not a block: Cline leaves it out and erases it when it next saves`, {
			at,
			path,
		});
	}
}

function checkBlock(block: JsonObject, type: string, path: string, at: Position, report: Report): void {
	if (!Object.hasOwn(blockTables, type)) {
		const message = `a block of type ${show(block.type)} is unknown to Cline: it is not sent, and erased when Cline next saves`;
		report('cline/block/type', message, { at, path });
		return;
	}
	if (!ofContract.has(type)) {
		report('cline/block/contract-type', `a block of type "${type}" is not in the contract, though Cline writes it`, {
			at,
			path,
		});
	}
	if (type === 'image' && block.data === undefined && isObject(block.source)) {
		const message =
			'the image has a `source` instead of `data` and `mediaType`: Cline does not send it and erases it when it next saves';
		report('cline/image/source', message, { at, path });
		return;
	}
	blockTables[type as keyof typeof blockTables].check(block, report, at, `${path}.`);
	if (type === 'tool_result' && Array.isArray(block.content)) checkParts(block.content, `${path}.content`, at, report);
}

/** Cline looks at the texts and files in a result; what else is there it passes on. */
function checkParts(parts: readonly Json[], path: string, at: Position, report: Report): void {
	parts.forEach((part, index) => {
		const where = `${path}[${index}]`;
		if (part === null) notObject(part, where, at, report);
		if (!isObject(part)) return;
		if (part.type === 'text') blockTables.text.check(part, report, at, `${where}.`);
		else if (part.type === 'file') blockTables.file.check(part, report, at, `${where}.`);
	});
}

function checkRole(role: Json | undefined, type: string, path: string, at: Position, report: Report): void {
	if (role === 'user' && (type === 'thinking' || type === 'redacted_thinking')) {
		report('cline/block/thinking-role', 'thinking in a user message: Cline fails every further turn of this session', {
			at,
			path,
		});
	}
	if (role === 'user' && type === 'tool_use') {
		report('cline/block/tool_use-role', 'a tool call in a user message: Cline does not send it', { at, path });
	}
	if (role === 'assistant' && type === 'tool_result') {
		const message = 'a tool result in an assistant message: Cline makes a user message of it when it next saves';
		report('cline/block/tool_result-role', message, { at, path });
	}
}

function callChecks(report: Report) {
	/** The reply in which each call was made. */
	const madeIn = new Map<string, number>();
	/** How often the user had said something when each call without a result so far was made. */
	const open = new Map<string, number>();
	let said = 0;
	let reply = 0;
	let previous: Json | undefined;
	const pairing = pairs({
		unanswered(id, at, path) {
			const message = `tool call ${show(id)} has no result: the run was interrupted, Cline sends "Tool execution was interrupted" for it`;
			report('cline/pair/unanswered', message, { at, path });
		},
		orphan(id, at, path) {
			const message = `no call before it has the id ${show(id)}: the model's API rejects the request`;
			report('cline/pair/orphan', message, { at, path: `${path}.tool_use_id` });
		},
		repeatedResult(id, at, path) {
			const message = `tool call ${show(id)} has a result already: the model's API rejects the request`;
			report('cline/pair/repeated-result', message, { at, path: `${path}.tool_use_id` });
		},
		repeatedCall(id, at, path) {
			const message = `another tool call has the id ${show(id)} too: the model's API rejects the request`;
			report('cline/pair/repeated-call', message, { at, path: `${path}.id` });
		},
	});
	return {
		/** Messages of one role in a row are sent as one. */
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
			if (spokenBefore) {
				const message = `the user's text stands before this result of ${show(id)}: Cline fails every further turn of this session`;
				report('cline/pair/late', message, { at, path: `${path}.tool_use_id` });
			} else if ((madeIn.get(id) ?? reply) < reply) {
				const message = `the model replied again before this result of ${show(id)}: the model's API rejects the request`;
				report('cline/pair/late', message, { at, path: `${path}.tool_use_id` });
			}
		},
		end: () => pairing.end(),
	};
}
