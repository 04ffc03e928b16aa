/** How Claude Code's files are mended: lines first, then the graph, then tool calls. */
import type { Repair } from '../../shared/check/repair.ts';
import { flawRemedy } from '../../shared/check/repair-flaws.ts';
import { openCallRemedy, parallelRemedy, repeatedCallRemedy, resultRemedy } from './repair-calls.ts';
import {
	compactionRemedy,
	cycleRemedy,
	latestRemedy,
	parentRemedy,
	pointerRemedy,
	rootRemedy,
	timeRemedy,
	unknownLinkRemedy,
} from './repair-chain.ts';
import {
	callIdRemedy,
	duplicateRemedy,
	replyRemedy,
	sessionRemedy,
	sidechainRemedy,
	uuidRemedy,
} from './repair-ids.ts';
import { blockRemedy, contentRemedy, thinkingRemedy, typeRemedy } from './repair-lines.ts';

export const repair: Repair = {
	remedies: [
		flawRemedy({
			format: 'claude-code',
			flaws: ['torn', 'not-json', 'not-object', 'too-long'],
			accepts: (value) => typeof value.type === 'string' && typeof value.sessionId === 'string',
		}),
		typeRemedy,
		contentRemedy,
		blockRemedy,
		thinkingRemedy,
		sidechainRemedy,
		uuidRemedy,
		duplicateRemedy,
		replyRemedy,
		callIdRemedy,
		cycleRemedy,
		parentRemedy,
		unknownLinkRemedy,
		compactionRemedy,
		rootRemedy,
		timeRemedy,
		pointerRemedy,
		parallelRemedy,
		repeatedCallRemedy,
		resultRemedy,
		openCallRemedy,
		latestRemedy,
		sessionRemedy,
	],
	hopeless: {
		'claude-code/no-messages': 'no message is left in the file: there is nothing to resume',
		'claude-code/several-roots':
			'the lines are out of order: all lines before this one follow from it, so it can follow none of them',
		'claude-code/all-sidechain': 'the messages are those of several sub-agents: none of them is the session',
	},
};
