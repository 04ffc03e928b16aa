/** Checks the contract's guarantees about turns: where metrics are, and what a failed turn leaves behind. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { sayingOf } from '../../shared/check/rules.ts';
import type { Position } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import type { MessageChecks } from './blocks.ts';

interface Reply {
	readonly at: Position;
	readonly metrics: boolean;
	readonly calls: boolean;
}

const say = sayingOf('cline', {
	'turn/metrics': ['`metrics` are missing on the last assistant message of a completed turn', 'metrics'],
	'turn/early-metrics': ['`metrics` are on an assistant message that is not the last of its turn', 'metrics'],
	'turn/error-message': [
		'a message that is only shown: the contract has none of these after a failed turn',
		'metadata.displayOnly',
	],
	'turn/fabricated-metrics': ['the note about a failed turn has metrics: nothing was used', 'metrics'],
});

export function turnChecks(report: Report): MessageChecks {
	/** The last reply of the turn so far. */
	let reply: Reply | undefined;
	/** True while only notes came after it. */
	let last = false;

	function close(): void {
		if (reply && last && !reply.metrics && !reply.calls) say(report, 'turn/metrics', { at: reply.at });
		reply = undefined;
		last = false;
	}

	return {
		message(value, at) {
			if (isDisplayOnly(value)) {
				checkNote(value, report);
				return;
			}
			if (value.role === 'assistant') {
				if (reply?.metrics) say(report, 'turn/early-metrics', { at: reply.at });
				reply = { at, metrics: isObject(value.metrics), calls: holds(value, 'tool_use') };
				last = true;
				return;
			}
			if (holds(value, 'tool_result')) last = false;
			else close();
		},
		end: close,
	};
}

function checkNote(value: JsonObject, report: Report): void {
	if (value.role !== 'assistant') return;
	say(report, 'turn/error-message');
	if (value.metrics !== undefined) say(report, 'turn/fabricated-metrics');
}

function holds(value: JsonObject, type: string): boolean {
	if (!Array.isArray(value.content)) return false;
	const blocks: readonly Json[] = value.content;
	return blocks.some((block) => isObject(block) && block.type === type);
}
