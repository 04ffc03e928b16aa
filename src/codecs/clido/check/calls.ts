/** Checks calls and results: each call answered once and in time, its `tool_call` line, blocks in their place. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { type PairProblems, pairs } from '../../shared/check/pairs.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import type { LineType } from '../lines.ts';

interface Use {
	readonly at: Position;
	readonly path: string;
	indexed: boolean;
}

export function toolChecks(report: Report) {
	const paired = pairs(problems(report));
	/** Calls that the next message may answer. */
	let window = new Set<string>();
	let resultLines = false;
	const uses = new Map<string, Use>();

	function result(id: Json | undefined, line: Line, path: string, inTime: boolean): void {
		if (typeof id !== 'string') return;
		if (uses.has(id) && !inTime)
			report('clido/result-late', `this result comes too late: Clido has taken call ${id} as interrupted`, { path });
		paired.result(id, line, path);
	}

	function message(content: readonly Json[], assistant: boolean, line: Line): void {
		const calls = new Set<string>();
		for (let i = 0; i < content.length; i += 1) {
			const block = content[i];
			if (!isObject(block)) continue;
			const path = `content[${i}]`;
			checkPlace(block, assistant, path, report);
			if (block.type === 'tool_use' && typeof block.id === 'string') {
				paired.call(block.id, line, path);
				calls.add(block.id);
				uses.set(block.id, { at: positionOf(line), path, indexed: false });
			} else if (block.type === 'tool_result') {
				const id = block.tool_use_id;
				result(id, line, path, !resultLines && typeof id === 'string' && window.has(id));
			}
		}
		if (content.length === 0)
			report('clido/empty-message', "this message is empty: some models' APIs refuse it", { path: 'content' });
		window = calls;
		resultLines = false;
	}

	return {
		visit(type: LineType, value: JsonObject, line: Line): void {
			if (type === 'user_message' || type === 'assistant_message') {
				if (Array.isArray(value.content)) message(value.content, type === 'assistant_message', line);
			} else if (type === 'tool_result') {
				const id = value.tool_use_id;
				result(id, line, 'tool_use_id', typeof id === 'string' && window.has(id));
				resultLines = true;
			} else if (type === 'tool_call') {
				const use = typeof value.tool_use_id === 'string' ? uses.get(value.tool_use_id) : undefined;
				if (use) use.indexed = true;
				else
					report('clido/published/call-known', 'no assistant message before it has this call; Clido ignores the line');
			}
		},
		end(): void {
			paired.end();
			for (const [id, { at, path, indexed }] of uses) {
				if (!indexed) report('clido/published/call-indexed', `call ${id} has no \`tool_call\` line`, { at, path });
			}
		},
	};
}

function problems(report: Report): PairProblems {
	const says = (rule: string, text: (id: string) => string) => (id: string, at: Position, path: string) =>
		report(`clido/${rule}`, text(id), { at, path });
	return {
		unanswered: says(
			'call-unanswered',
			(id) => `call ${id} has no result: Clido resumes with "interrupted" in its place`,
		),
		orphan: says('result-orphan', (id) => `no call ${id} comes before this result: the model's API refuses it`),
		repeatedResult: says('result-repeated', (id) => `call ${id} has a result already: the model's API refuses another`),
		repeatedCall: says('call-repeated', (id) => `an earlier call has the id ${id} too: the model's API refuses that`),
	};
}

function checkPlace(block: JsonObject, assistant: boolean, path: string, report: Report): void {
	const type = block.type;
	if (type === 'thinking' || type === 'image') {
		report('clido/published/block-type', `the document knows no ${type} blocks; Clido does`, { path });
	} else if ((type === 'tool_use' && !assistant) || (type === 'tool_result' && assistant)) {
		const belongs = assistant ? 'user' : 'assistant';
		report('clido/published/block-place', `${type} blocks belong into ${belongs} messages`, { path });
	}
}
