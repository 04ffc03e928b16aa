/** What Claude Code's sub-agent files are called (`agent-ID.jsonl`), how long their ids are, and what the note beside each says (`.meta.json`). */

import type { SubagentOf, SubagentRules } from '../../shared/live.ts';
import { fileName } from '../../shared/places/file-name.ts';
import { pathsOf } from '../../shared/places/paths.ts';
import { spliceFields } from '../../shared/write/splice.ts';
import { sessionFolder } from './backups.ts';

/** The document has seven digits, the newest client seventeen characters; both begin with an `a`. */
const digits = { client: 16, published: 6 } as const;

export const subagents: SubagentRules = {
	newId: (random, _time, profile) => `a${Buffer.from(random).toString('hex').slice(0, digits[profile])}`,
	// All lines name the session, whoever wrote them.
	place: (of) => ({ path: `${stemOf(of)}.jsonl`, id: of.session, session: of.session }),
	copied: (bytes, { session }) =>
		Buffer.concat([...linesIn(bytes)].map((line) => spliceFields(line, { sessionId: session }))),
	note: (of, { type, description, call, depth, background, builtIn, model, finished }) => ({
		path: `${stemOf(of)}.meta.json`,
		note: {
			agentType: type,
			isBuiltIn: builtIn,
			description,
			toolUseId: call,
			spawnDepth: depth,
			requestShape: background ? 'background' : 'foreground',
			requestNonInteractive: true,
			pickedEffortModel: model,
			finished,
		},
	}),
};

function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; ) {
		const end = bytes.indexOf(10, at);
		const next = end === -1 ? bytes.length : end + 1;
		yield bytes.subarray(at, next);
		at = next;
	}
}

function stemOf({ main, profile, agent }: SubagentOf): string {
	const { dirname, join } = pathsOf(main);
	const folder = profile === 'published' ? dirname(main) : join(sessionFolder(main), 'subagents');
	return join(folder, `agent-${fileName(agent)}`);
}
