/** The contract's guarantees about turns: where metrics are, and what a failed turn leaves behind. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import type { Position } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import type { MessageChecks } from './blocks.ts';

interface Reply {
	readonly at: Position;
	readonly metrics: boolean;
	readonly calls: boolean;
}

export function turnChecks(report: Report): MessageChecks {
	/** The last reply of the turn so far. */
	let reply: Reply | undefined;
	/** True while nothing but notes came after it. */
	let last = false;

	function close(): void {
		if (reply && last && !reply.metrics && !reply.calls) {
			report('cline/turn/metrics', '`metrics` are missing on the last assistant message of a completed turn', {
				at: reply.at,
				path: 'metrics',
			});
		}
		reply = undefined;
		last = false;
	}

	return {
		message(value, at) {
			if (isDisplayOnly(value)) {
				checkNote(value, at, report);
				return;
			}
			if (value.role === 'assistant') {
				if (reply?.metrics) {
					report('cline/turn/early-metrics', '`metrics` are on an assistant message that is not the last of its turn', {
						at: reply.at,
						path: 'metrics',
					});
				}
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

function checkNote(value: JsonObject, at: Position, report: Report): void {
	if (value.role !== 'assistant') return;
	report(
		'cline/turn/error-message',
		'a message that is only shown: the contract has none of these after a failed turn',
		{
			at,
			path: 'metadata.displayOnly',
		},
	);
	if (value.metrics !== undefined) {
		report('cline/turn/fabricated-metrics', 'the note about a failed turn has metrics: nothing was used', {
			at,
			path: 'metrics',
		});
	}
}

function holds(value: JsonObject, type: string): boolean {
	if (!Array.isArray(value.content)) return false;
	const blocks: readonly Json[] = value.content;
	return blocks.some((block) => isObject(block) && block.type === type);
}
