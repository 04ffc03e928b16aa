/** How Claude Code writes during a run. */
import { stringAt } from '../../model/index.ts';
import type { LivePart } from '../shared/live.ts';
import { backupName } from './places/backups.ts';
import { subagents } from './places/subagent-files.ts';
import { interruptedReply, interruptedTool } from './read/messages.ts';
import { permissionFields, permissionOf } from './write/permission-fields.ts';

export const live: LivePart = {
	abortedCalls: 'answer',
	emptyAborted: false,
	interrupted: (during) => (during === 'tool' ? interruptedTool : interruptedReply),
	backupName,
	promptMode: (extra) => stringAt(extra, 'permissionMode'),
	promptFields: ({ permissionMode }) => ({ permissionMode }),
	hookLines: true,
	commandText: ({ name, args }) =>
		`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
	permissionFields,
	permissionOf,
	subagents,
	collapse(sessionId, step, data) {
		const type = `context-collapse-${step}`;
		return { type: 'collapse', of: type, data: { type, sessionId, ...data } };
	},
};
