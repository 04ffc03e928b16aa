/** The part of `reprise demo` where an agent works: its script, its scratch project, and the commands that are run, in their order. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codecs } from '../../codecs/index.ts';
import type { ScriptInput } from '../../providers/script.ts';
import { print } from '../../terminal/print.ts';

/** How the tour runs a command as a user would type it, and what stands above it. */
export interface Guide {
	heading(text: string): void;
	run(...args: readonly string[]): Promise<void>;
}

const before = "export const sum = (text) => text.split(',').filter(Boolean).map(Number).reduce((a, b) => a + b);\n";
const checks = `import { sum } from './sum.mjs';
try {
	if (sum('') !== 0 || sum('1,2') !== 3) throw new Error('a sum is wrong');
	console.log('2 checks passed');
} catch (error) {
	console.log('failed: ' + error.message);
	process.exitCode = 1;
}
`;

function story(file: string): ScriptInput {
	const edit = { file_path: file, old_string: 'reduce((a, b) => a + b)', new_string: 'reduce((a, b) => a + b, 0)' };
	return [
		{
			content: [
				{ type: 'thinking', thinking: 'A reduce without a first value. I look at the file first.' },
				{ type: 'text', text: 'I read the function and run its checks.' },
				{ type: 'tool_use', name: 'Read', input: { file_path: file } },
				{ type: 'tool_use', name: 'Bash', input: { command: 'node check.mjs' } },
			],
		},
		{ content: [{ type: 'tool_use', name: 'Edit', input: edit }] },
		{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'node check.mjs' } }] },
		{ text: '`sum` now starts from 0, so that an empty list is fine. 2 checks pass.' },
	];
}

/** Leaves the sessions in the home that the variables point at. */
export async function agentTour({ heading, run }: Guide): Promise<void> {
	mkdirSync('project');
	const project = resolve('project');
	writeFileSync(join(project, 'sum.mjs'), before);
	writeFileSync(join(project, 'check.mjs'), checks);
	cpSync(project, 'project-before', { recursive: true });
	writeFileSync('story.json', JSON.stringify(story(join(project, 'sum.mjs')), null, '\t'));
	writeFileSync('thanks.json', JSON.stringify([{ text: 'Gladly. Nothing else uses `sum`.' }]));
	const back = process.cwd();
	process.chdir(project);
	try {
		heading('An agent at work: the model is a script, the tools are real. The same task, written in every format.');
		for (const { id } of codecs) {
			writeFileSync('sum.mjs', before);
			const may = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(node:*)'];
			await run('-p', `Fix sum for an empty list (${id})`, '--script', '../story.json', '--session-format', id, ...may);
		}
		print(`sum.mjs is now: ${readFileSync('sum.mjs', 'utf8')}`);

		heading('The sessions are where their clients look for them. Any of them goes on here, in its own format.');
		await run('ls');
		await run('-p', 'Thanks. Who else uses it?', '-c', '--script', '../thanks.json');
		await run('show', 'last', '--no-pager');

		heading(
			'Played again in a scratch copy of the project as it was: every tool result is compared with the recorded one.',
		);
		await run('replay', 'last', '--project', '../project-before', '--yes');

		heading('Moved: the next agent finds it in its own list and goes on from there.');
		await run('handoff', 'last', '--to', 'claude-code');
	} finally {
		process.chdir(back);
		rmSync('project-before', { recursive: true, force: true });
	}
}
