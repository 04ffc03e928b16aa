/** What a command or skill stands for, with the tools that it may ask for. */
import { expect, it } from 'vitest';
import type { ToolOutput } from '../../agent/contracts.ts';
import type { Definition } from './definitions.ts';
import { expandDefinition } from './expand.ts';

const place = { cwd: '/nowhere', sessionId: 'S', forks: true };
const definition: Definition = {
	name: 'look',
	path: '/skills/look/SKILL.md',
	kind: 'skill',
	from: 'user',
	description: 'Looks',
	allow: [],
	forModel: true,
	forUser: true,
	body: 'Look at $0.',
	folder: '/skills/look',
};

function calls(output: ToolOutput) {
	const made: unknown[] = [];
	const call = async (tool: string, input: unknown): Promise<ToolOutput> => {
		made.push([tool, input]);
		return output;
	};
	return { made, how: { by: 'user', call } as const };
}

const said = (text: string, isError = false): ToolOutput => ({ content: [{ type: 'text', text }], isError });

it('context: fork gives the whole text to a sub-agent of the kind that it names, and its report to the model', async () => {
	const { made, how } = calls(said('All is well.'));
	const forked = { ...definition, fork: { agent: 'Explore' } };
	expect(await expandDefinition(forked, 'here', place, how)).toMatchObject({
		command: { name: 'look', args: 'here' },
		texts: ['A sub-agent has carried out /look and reports:\n\nAll is well.'],
	});
	const prompt = 'Base directory for this skill: /skills/look\n\nLook at here.';
	expect(made).toEqual([['Task', { description: '/look', prompt, subagent_type: 'Explore' }]]);
});

it('where no sub-agent can be started it is told to the model, and one that fails is a problem', async () => {
	const forked = { ...definition, fork: {} };
	const { made, how } = calls(said('no', true));
	expect(await expandDefinition(forked, 'x', { ...place, forks: false }, how)).toHaveProperty('texts');
	expect(made).toEqual([]);
	expect(await expandDefinition(forked, 'x', place, how)).toEqual({ problem: '/look was not carried out: no' });
});

it('a command’s output stands in its place, and none of it is taken for another command', async () => {
	const { made, how } = calls({ ...said('$0 !`rm x`'), details: { stdout: '$0 !`rm x`', stderr: '' } });
	const expanded = await expandDefinition({ ...definition, body: 'Out: !`date` $0' }, 'w', place, how);
	expect(expanded).toMatchObject({ texts: [expect.stringMatching(/Out: \$0 !`rm x` w$/)] });
	expect(made).toEqual([['Bash', { command: 'date' }]]);
});
