/** How Claude Code writes during a run: its words for an interruption, slash commands as tagged text, permission modes, context-collapse records. */
import { compact, type JsonObject, type ModelResponse, stringAt } from '../../model/index.ts';
import type { LivePart } from '../shared/live.ts';
import { backupName } from './places/backups.ts';
import { subagents } from './places/subagent-files.ts';
import { interruptedReply, interruptedTool } from './read/messages.ts';
import { usageFields } from './write/messages.ts';
import { permissionFields, permissionOf } from './write/permission-fields.ts';

export const live: LivePart = {
	abortedCalls: 'answer',
	emptyAborted: false,
	interrupted: (during) => (during === 'tool' ? interruptedTool : interruptedReply),
	backupName,
	promptMode: (extra) => stringAt(extra, 'permissionMode'),
	promptFields: ({ permissionMode }) => ({ permissionMode }),
	givenIds: true,
	hookLines: true,
	commandText: ({ name, args }) =>
		`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
	permissionFields,
	permissionOf,
	subagents,
	collapse(sessionId, step, data, response) {
		const type = `context-collapse-${step}`;
		return {
			type: 'collapse',
			of: type,
			data: { type, sessionId, ...data, ...(response ? spentFields(response) : {}) },
		};
	},
};

/** What was used beside the conversation, in the words of a reply: no client reads them here, and costs are counted by them. */
function spentFields({ model, usage }: ModelResponse): JsonObject {
	const message = { ...compact({ model }), stop_reason: 'end_turn', usage: usageFields(usage, undefined) };
	return { timestamp: new Date().toISOString(), message };
}
