/** The order in which the problems of a Claude Code file are mended (lines, ids, graph, tool calls), and which of them are hopeless. */
import type { Repair } from '../../shared/check/repair.ts';
import { flawRemedy } from '../../shared/check/repair-flaws.ts';
import * as calls from './repair-calls.ts';
import * as chain from './repair-chain.ts';
import * as ids from './repair-ids.ts';
import * as lines from './repair-lines.ts';

export const repair: Repair = {
	remedies: [
		flawRemedy({
			format: 'claude-code',
			flaws: ['torn', 'not-json', 'not-object', 'too-long'],
			accepts: (value) => typeof value.type === 'string' && typeof value.sessionId === 'string',
		}),
		lines.typeRemedy,
		lines.contentRemedy,
		lines.blockRemedy,
		lines.thinkingRemedy,
		ids.sidechainRemedy,
		ids.uuidRemedy,
		ids.duplicateRemedy,
		ids.replyRemedy,
		ids.callIdRemedy,
		chain.cycleRemedy,
		chain.parentRemedy,
		chain.unknownLinkRemedy,
		chain.compactionRemedy,
		chain.rootRemedy,
		chain.timeRemedy,
		chain.pointerRemedy,
		calls.parallelRemedy,
		calls.repeatedCallRemedy,
		calls.resultRemedy,
		calls.openCallRemedy,
		chain.latestRemedy,
		ids.sessionRemedy,
	],
	hopeless: {
		'claude-code/no-messages': 'no message is left in the file: there is nothing to resume',
		'claude-code/several-roots':
			'the lines are out of order: all lines before this one follow from it, so it can follow none of them',
		'claude-code/all-sidechain': 'the messages are those of several sub-agents: none of them is the session',
	},
};
