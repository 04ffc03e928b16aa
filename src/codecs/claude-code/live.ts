/** How Claude Code writes during a run. */
import { stringAt } from '../../model/index.ts';
import type { LivePart } from '../shared/live.ts';
import { backupName } from './places/backups.ts';
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
	commandText: ({ name, args }) =>
		`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
	permissionFields,
	permissionOf,
	collapse: (sessionId, data) => ({
		type: 'collapse',
		of: collapseType,
		data: { type: collapseType, sessionId, ...data },
	}),
};
