/** The order in which the problems of files of pi and OpenClaw are mended: lines and header first, then the tree, then tool calls. */
import type { Repair } from '../../shared/check/repair.ts';
import { flawRemedy } from '../../shared/check/repair-flaws.ts';
import { claimsRecord } from '../lines.ts';
import { lateRemedy, openCallRemedy, repeatedCallRemedy, repeatedResultRemedy } from './repair-calls.ts';
import { bareRemedy, headerIdRemedy, headerRemedy } from './repair-header.ts';
import { blockRemedy, contentRemedy, resultIdRemedy, roleRemedy, thinkingRemedy } from './repair-messages.ts';
import { cycleRemedy, idRemedy, keptRemedy, parentRemedy, repeatedIdRemedy } from './repair-tree.ts';

export const repair: Repair = {
	remedies: [
		flawRemedy({
			format: 'openclaw',
			flaws: ['torn', 'not-json', 'not-object', 'bom', 'too-long'],
			accepts: (value) => typeof value.type === 'string' && claimsRecord(value) !== undefined,
		}),
		headerRemedy,
		headerIdRemedy,
		bareRemedy,
		roleRemedy,
		contentRemedy,
		blockRemedy,
		thinkingRemedy,
		idRemedy,
		repeatedIdRemedy,
		cycleRemedy,
		parentRemedy,
		keptRemedy,
		repeatedCallRemedy,
		repeatedResultRemedy,
		lateRemedy,
		resultIdRemedy,
		openCallRemedy,
	],
	hopeless: {},
};
