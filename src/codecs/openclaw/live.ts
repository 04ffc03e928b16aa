/** How pi writes during a run: an interrupted reply is kept as it was, and a sub-agent is a session of its own that names its parent's file. */
import type { LivePart } from '../shared/live.ts';
import { uuidOf } from '../shared/write/new-id.ts';
import { spliceFields } from '../shared/write/splice.ts';
import { subagentFile } from './places/locate.ts';
import { keep } from './read/values.ts';

export const live: LivePart = {
	abortedCalls: 'keep',
	emptyAborted: true,
	interrupted: () => undefined,
	applicationData: 'client',
	usageFields: (usage) => keep({ message: { usage } }) ?? {},
	subagents: {
		newId: (random, time) => uuidOf(random, 7, time),
		// A session of its own, which names the file of the session that it belongs to as a fork does.
		place: ({ main, agent, time }) => ({ path: subagentFile(main, agent, time), id: agent, session: main }),
		copied(bytes, { session }) {
			const end = bytes.indexOf(10) + 1;
			return Buffer.concat([spliceFields(bytes.subarray(0, end), { parentSession: session }), bytes.subarray(end)]);
		},
	},
};
