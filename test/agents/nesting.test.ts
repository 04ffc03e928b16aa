/** How deep sub-agents may start others is not forgotten when one is gone on with, by the user or by a call. */
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const starts = (prompt: string, more: object = {}) => ({
	content: [
		{
			type: 'tool_use' as const,
			name: 'Task',
			input: { description: prompt, prompt, subagent_type: 'general-purpose', ...more },
		},
	],
});

interface Listed {
	readonly agents: readonly { readonly id: string; readonly description: string; readonly depth: number }[];
}

async function agentsOf(stage: ClientStage): Promise<Listed['agents']> {
	return (JSON.parse((await stage.run(['agents', 'last', '--json'])).out) as Listed).agents;
}

describe.each(['claude-code', 'cline', 'pi', 'clido'])('in a %s session', (format) => {
	it('the sub-agent of a sub-agent starts none, whoever goes on with it', async () => {
		using stage = new ClientStage();
		const all = '--dangerously-skip-permissions';
		const begin = [
			{ when: { first: 'MAIN' }, ...starts('CHILD') },
			{ when: { first: '^CHILD' }, ...starts('GRANDCHILD') },
			{ when: { first: '^GRANDCHILD' }, text: 'The grandchild is done.' },
			{ when: { first: '^CHILD' }, text: 'The child is done.' },
			{ when: { first: 'MAIN' }, text: 'Done.' },
		];
		const script = stage.script(begin as never);
		expect((await stage.run(['-p', 'MAIN', '--script', script, all, '--session-format', format])).code).toBe(0);
		const made = await agentsOf(stage);
		const depths = Object.fromEntries(made.map(({ description, depth }) => [description, depth]));
		expect(depths).toEqual({ CHILD: 1, GRANDCHILD: 2 });
		const id = made.find(({ depth }) => depth === 2)?.id ?? '';
		// Each is told under its call, in the words of whoever called it.
		expect((await stage.run(['show', 'last', '--subagents'])).out).toContain(`│ ▸ sub-agent ${id}`);
		const deeper = [
			{ when: { first: '^GRANDCHILD' }, ...starts('DEEPER') },
			{ when: { first: '^DEEPER' }, text: 'Too deep.' },
			{ when: { first: '^GRANDCHILD' }, text: 'Without help.' },
		];
		const byUser = ['agents', 'last', 'more', '--resume', id, '--script', stage.script(deeper as never)];
		expect(await stage.run([...byUser, '--permission-mode', 'bypassPermissions'])).toMatchObject({
			code: 0,
			out: 'Without help.\n',
		});
		expect(await agentsOf(stage)).toHaveLength(2);
		const again = [
			{ when: { first: 'MAIN' }, ...starts('once more', { resume: id }) },
			...deeper,
			{ when: { first: 'MAIN' }, text: 'Over.' },
		];
		const byCall = await stage.run(['-c', '-p', 'again', '--script', stage.script(again as never), all]);
		expect(byCall).toMatchObject({ code: 0, out: 'Over.\n' });
		expect((await agentsOf(stage)).map(({ depth }) => depth).sort()).toEqual([1, 2]);
	});
});
