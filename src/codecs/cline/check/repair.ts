/** The order in which the problems of a Cline document are mended (document, messages, tool calls), and which of them are hopeless. */
import type { Repair } from '../../shared/check/repair.ts';
import { lateRemedy, openCallRemedy, repeatedCallRemedy, resultRemedy } from './repair-calls.ts';
import { DocumentEdits, rebuildRemedy } from './repair-document.ts';
import { blockRemedy, contentRemedy, idRemedy, roleRemedy, thinkingRemedy } from './repair-messages.ts';

const unreadable = 'no message can be read: there is nothing to put together';

export const repair: Repair = {
	edits: (file) => new DocumentEdits(file),
	remedies: [
		rebuildRemedy,
		roleRemedy,
		contentRemedy,
		blockRemedy,
		thinkingRemedy,
		repeatedCallRemedy,
		resultRemedy,
		lateRemedy,
		openCallRemedy,
		idRemedy,
	],
	hopeless: {
		'cline/messages': 'the document has no list of messages: there is nothing to resume',
		'cline/torn': unreadable,
		'cline/not-json': unreadable,
		'cline/not-object': unreadable,
		'cline/too-long': unreadable,
	},
};
