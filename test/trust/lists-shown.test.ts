/** Lists of what is to be done are shown as lists, with boxes, in sessions of every format. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const item = (content: string, status: string) => ({ content, status, activeForm: `${content} …` });
const call = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });
const turns = [
	call('TodoWrite', {
		todos: [item('Look \u001b[31maround', 'completed'), item('Paint', 'in_progress'), item('Clean <b>', 'pending')],
	}),
	call('TaskCreate', { subject: 'Dig', description: 'a hole' }),
	call('TaskCreate', { subject: 'Fill', description: 'it' }),
	call('TaskUpdate', { taskId: '2', addBlockedBy: ['1'], status: 'in_progress' }),
	call('TaskList', {}),
	{ text: 'Done.' },
];

it.each(['claude-code', 'cline', 'clido', 'pi'])('a list in a session of %s', async (format) => {
	const script = stage.script(turns as never);
	expect((await stage.run(['-p', 'go', '--session-format', format, '--script', script])).code).toBe(0);
	const { out } = await stage.run(['show', 'last']);
	expect(out).toMatch(/TodoWrite 1 of 3 done\n {2}☒ Look .*around\n {2}▶ Paint\n {2}☐ Clean <b>\n/);
	expect(out).not.toContain('\u001b');
	expect(out).toContain('TaskCreate Dig\n');
	expect(out).toContain('TaskUpdate #2 in_progress\n');
	expect(out).toContain('TaskList 0 of 2 done\n  ☐ #1 Dig\n  ▶ #2 Fill [blocked by #1]\n');
	expect(out).not.toContain('activeForm');
	const markdown = (await stage.run(['show', 'last', '--md'])).out;
	expect(markdown).toContain('- [ ] **Paint** (in progress)\n- [ ] Clean ');
	expect(markdown).not.toContain('<b>');
});

it('a list that was refused shows why', async () => {
	const script = stage.script([call('TodoWrite', { todos: [item('x', 'odd')] }), { text: 'Done.' }] as never);
	await stage.run(['-p', 'go', '--script', script]);
	const { out } = await stage.run(['show', 'last', '--full']);
	expect(out).toContain('InputValidationError');
	expect(out).not.toContain('☐');
});
