/** The session functions against the answers of the official SDK, recorded over the corpus of Claude Code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getSessionInfo, getSessionMessages, listSessions, type SessionMessage } from '../src/session-store/index.ts';
import { scratchMachine } from './support/scratch.ts';

interface Recorded {
	readonly sessions: {
		readonly [id: string]: { readonly info: object; readonly messages: string[]; readonly withSystem?: string[] };
	};
	readonly people?: readonly string[];
}

const corpus = join(import.meta.dirname, 'corpus');
const { homes } = JSON.parse(readFileSync(join(corpus, 'session-functions.json'), 'utf8')) as {
	homes: { [home: string]: Recorded };
};
/** Here the SDK tells less: it stops at a line of a type that it does not know, and lists no file whose name is no UUID. */
const tellsLess = /(unknown_type_as_chain_link|non_uuid_session_id)$/;
const scratch = scratchMachine();

beforeAll(() => void vi.stubEnv('REPRISE_HOME', scratch.own));
afterAll(() => {
	vi.unstubAllEnvs();
	scratch[Symbol.dispose]();
});

const marks = ['is_meta', 'isCompactSummary', 'isQueuedCommand', 'isCompletedLocalCommand'] as const;
const told = (messages: readonly SessionMessage[]): readonly string[] =>
	messages.map((one) =>
		[
			...[one.type, one.uuid, ...marks.filter((mark) => one[mark] !== undefined)],
			...(['tool_result_meta', 'origin'] as const).filter((mark) => one[mark] !== undefined),
		].join(' '),
	);

it.each(Object.entries(homes).filter(([home]) => !tellsLess.test(home)))(
	'%s is told as the SDK tells it',
	async (home, recorded) => {
		vi.stubEnv('CLAUDE_CONFIG_DIR', join(corpus, home, 'home/.claude'));
		vi.stubEnv('HOME', scratch.home);
		const listed = (await listSessions()).map(({ sessionId }) => sessionId).sort();
		expect(listed).toEqual(Object.keys(recorded.sessions).sort());
		const people = (await listSessions({ includeProgrammatic: false })).map(({ sessionId }) => sessionId).sort();
		expect(people).toEqual(recorded.people ?? listed);
		for (const [id, { info, messages, withSystem = messages }] of Object.entries(recorded.sessions)) {
			const { sessionId: _, lastModified: __, fileSize: ___, ...ours } = (await getSessionInfo(id)) ?? ({} as never);
			expect(ours).toEqual({ ...info, agent: 'claude-code' });
			expect(told(await getSessionMessages(id))).toEqual(messages);
			expect(told(await getSessionMessages(id, { includeSystemMessages: true }))).toEqual(withSystem);
		}
	},
);
