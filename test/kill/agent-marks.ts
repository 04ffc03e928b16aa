/** What tells the entries of killed agents apart, whatever the format: prompts, replies, calls and results. */
import type { Entry } from '../../src/model/index.ts';

export function marksIn(entries: readonly Entry[]): readonly string[] {
	return entries.flatMap((entry) => {
		if (entry.kind !== 'message') return [];
		return entry.content.flatMap((block): readonly string[] => {
			if (block.type === 'text') return /^(re |looking )?#\d+$/.test(block.text) ? [`${entry.role} ${block.text}`] : [];
			if (block.type === 'tool_call') return [`call ${block.id}`];
			return block.type === 'tool_result' ? [`result ${block.call}`] : [];
		});
	});
}
