/** How Claude Code writes during a run. */
import { stringAt } from '../../model/index.ts';
import type { LivePart } from '../shared/live.ts';
import { backupName } from './places/backups.ts';
import { subagents } from './places/subagent-files.ts';
import { permissionFields, permissionOf } from './write/permission-fields.ts';

const collapseType = 'context-collapse-snapshot';

export const live: LivePart = {
	abortedCalls: 'answer',
	emptyAborted: false,
	interrupted: (during) =>
		during === 'tool' ? '[Request interrupted by user for tool use]' : '[Request interrupted by user]',
	backupName,
	promptMode: (extra) => stringAt(extra, 'permissionMode'),
	promptFields: ({ permissionMode }) => ({ permissionMode }),
	permissionFields,
	permissionOf,
	subagents,
	collapse: (sessionId, data) => ({
		type: 'collapse',
		of: collapseType,
		data: { type: collapseType, sessionId, ...data },
	}),
};
