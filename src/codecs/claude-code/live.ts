/** How Claude Code writes during a run. */
import { stringAt } from '../../model/index.ts';
import type { LivePart } from '../shared/live.ts';
import { backupName } from './places/backups.ts';
import { interruptedReply, interruptedTool } from './read/messages.ts';
import { permissionFields, permissionOf } from './write/permission-fields.ts';

const collapseType = 'context-collapse-snapshot';

export const live: LivePart = {
	abortedCalls: 'answer',
	emptyAborted: false,
	interrupted: (during) => (during === 'tool' ? interruptedTool : interruptedReply),
	backupName,
	promptMode: (extra) => stringAt(extra, 'permissionMode'),
	promptFields: ({ permissionMode }) => ({ permissionMode }),
	hookLines: true,
	permissionFields,
	permissionOf,
	collapse: (sessionId, data) => ({
		type: 'collapse',
		of: collapseType,
		data: { type: collapseType, sessionId, ...data },
	}),
};
