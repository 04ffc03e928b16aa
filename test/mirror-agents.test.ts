/** The sub-agents of a mirrored session are found in the store, whatever agent's session it is. */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { getSubagentMessages, listSubagents, sqliteStore } from '../src/session-store/index.ts';
import { ClientStage } from './support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

it.each(['claude-code', 'clido', 'cline', 'openclaw', 'pi'])(
	'a sub-agent of a %s session',
	async (format) => {
		const input = { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' };
		const task = { content: [{ type: 'tool_use' as const, name: 'Task', input }] };
		const script = stage.script([task, { text: 'the report of the agent' }, { text: 'done' }]);
		const flags = ['--script', script, '--session-format', format, '--output-format', 'json'];
		const { out } = await stage.run(['-p', 'go', ...flags]);
		const { session_id: id } = JSON.parse(out) as { readonly session_id: string };
		const file = join(stage.home, `${format}.db`);
		expect((await stage.run(['mirror', id, '--to', `sqlite:${file}`])).code).toBe(0);
		await using sessionStore = sqliteStore(file);
		const dir = stage.cwd;
		const known = (await sessionStore.listSessions(stage.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'))).map(
			(one) => one.sessionId,
		);
		expect(known).toHaveLength(1);
		const [sessionId = ''] = known;
		const agents = await listSubagents(sessionId, { dir, sessionStore });
		expect(agents).toHaveLength(1);
		const said = await getSubagentMessages(sessionId, agents[0] ?? '', { dir, sessionStore });
		expect(JSON.stringify(said)).toContain('the report of the agent');
	},
	30_000,
);
