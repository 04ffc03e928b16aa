/** Skill, and calls of any tool whose input is no JSON, case by case: what the model is told and what the session keeps. */
import { describe, expect } from 'vitest';
import { failure, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const skill = (name: string, more: string, text: string) =>
	`---\nname: ${name}\ndescription: for tests\n${more}---\n${text}\n`;
const files = {
	'.claude/skills/hello/SKILL.md': skill('hello', '', 'Say hello to $ARGUMENTS.'),
	'.claude/skills/polish/SKILL.md': skill('polish', 'allowed-tools: Bash(touch:*), Read\n', 'Polish it.'),
	'.claude/skills/people/SKILL.md': skill('people', 'disable-model-invocation: true\n', 'For people.'),
	'.claude/commands/tidy.md': '---\ndescription: tidies\n---\nTidy up.\n',
};
const launched = (commandName: string, more: object = {}) =>
	said(`Launching skill: ${commandName}`, { success: true, commandName, ...more });

describe('a skill', () => {
	toolTable(
		{
			'that there is': { ...launched('hello'), call: ['Skill', { skill: 'hello' }] },
			'with words behind it': { ...launched('hello'), call: ['Skill', { skill: 'hello', args: 'Ada' }] },
			'as people call it': { ...launched('hello'), call: ['Skill', { skill: '/hello' }] },
			'that brings permissions': {
				...launched('polish', { allowedTools: ['Bash(touch:*)', 'Read'] }),
				call: ['Skill', { skill: 'polish' }],
			},
			'that is a command': { ...launched('tidy'), call: ['Skill', { skill: 'tidy' }] },
			'that there is not': { ...refusal('Unknown skill: nobody'), call: ['Skill', { skill: 'nobody' }] },
			'that is for people': { ...refusal('Unknown skill: people'), call: ['Skill', { skill: 'people' }] },
			'without a name': {
				...wrong('Skill', 'The required parameter `skill` is missing'),
				call: ['Skill', {}],
			},
		},
		{ files, flags: ['--trust', '--permission-mode', 'bypassPermissions'] },
	);
});

describe('an input that is no JSON', () => {
	const broken = (tool: string, raw: string) => ({
		told: `<tool_use_error>InputValidationError: ${tool} was called with input that could not be parsed as JSON.\nYou sent (first ${raw.length} of ${raw.length} bytes): ${raw}\nCommon causes: unescaped backslashes in file paths (use / or \\\\), unescaped control characters, or truncated output. Retry with valid JSON.</tool_use_error>`,
		isError: true as const,
		kept: expect.stringContaining(`${tool} was called with input that could not be parsed as JSON.`),
		...{ call: [tool, {}] as const, raw, unlike29: 'Arguments that are no JSON' },
	});
	toolTable({
		'is shown as it was sent': broken('Bash', '{"command": "echo C:\\Users\\me"}'),
		'and is cut off': broken('Write', '{"file_path": "a.txt", "content": "one'),
		'is not run': broken('Bash', '{"command": "touch made", }'),
		'was not run': {
			...failure('Exit code 1\ncat: made: No such file or directory'),
			call: ['Bash', { command: 'cat made' }],
		},
	});
});
