/** Bash, TaskOutput and TaskStop, case by case: what the model is told and what the session keeps, as Claude Code 2.1.29 has it. */
import { expect } from 'vitest';
import { type Answered, type Call, failure, project, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AAQQxwFgBB0gX7h/C5SAAAAABJRU5ErkJggg==';
const run = (command: string, more: { readonly [key: string]: string | number | boolean } = {}): Call => [
	'Bash',
	{ command, ...more },
];
const kept = (stdout: string, more: object = {}) => ({
	stdout,
	stderr: '',
	interrupted: false,
	isImage: false,
	...more,
});
const printed = (text: string): Answered => said(text, kept(text));
/** An exit code that is an answer. */
const meant = (returnCodeInterpretation: string, stdout = '') => ({
	told: stdout || '(Bash completed with no output)',
	kept: kept(stdout, { returnCodeInterpretation }),
});
const task = (status: string, output: string, exitCode: number | null) => ({
	...{ task_id: expect.stringMatching(/^b[0-9a-f]{6}$/), task_type: 'local_bash', status },
	...{ description: expect.any(String), output, exitCode },
});
const leftRunning = expect.stringMatching(/^b[0-9a-f]{6}$/);

toolTable(
	{
		'both streams come in the order of what was printed': {
			...printed('out\nerr\nout'),
			call: run('echo out; echo err >&2; echo out'),
			unlike29: 'Bash, the two streams',
		},
		'blank lines before and blanks behind are left out, colours are kept': {
			...printed('  a\n\n\u001b[31mred\u001b[0m'),
			call: run('printf "\\n\\n  a\\n\\n\\033[31mred\\033[0m \\n\\n"'),
		},
		'no output is said': {
			...said('(Bash completed with no output)', kept('')),
			call: run('true'),
			unlike29: 'Bash without output',
		},
		'a failure is its exit code and what was printed': {
			...failure('Exit code 3\nout\nerr'),
			call: run('echo out; echo err >&2; exit 3'),
			unlike29: 'Bash, the two streams',
		},
		'a failure that says nothing': { ...failure('Exit code 1'), call: run('false') },
		'grep that finds nothing has answered': { ...meant('No matches found'), call: run('grep x a.txt') },
		'diff that finds something has answered': {
			...meant('Files differ', '1c1\n< one\n---\n> two'),
			call: run('diff a.txt b.txt'),
		},
		'test that is false has answered': { ...meant('Condition is false'), call: run('test -f none') },
		'a command that there is not': {
			told: /^Exit code 127\n.*bash: line 1: nosuchcommand: command not found$/,
			...{ isError: true, kept: expect.stringMatching(/^Error: Exit code 127\n/) },
			call: run('nosuchcommand'),
		},
		'a command that waits for input gets its end': { ...printed('[]'), call: run('read -r x; echo "[$x]"') },
		'a folder stays from one call to the next, a variable does not': {
			...printed(`${project}/folder\n[]`),
			after: [run('cd folder && X=1')],
			call: run('pwd; echo "[$X]"'),
		},
		'relative paths of other tools mean that folder': {
			...said('     1→inner\n     2→', {
				type: 'text',
				file: { filePath: `${project}/folder/x`, content: 'inner\n', numLines: 2, startLine: 1, totalLines: 2 },
			}),
			call: ['Read', { file_path: 'x' }],
		},
		'a folder outside of the project is left again': {
			...said(`/\nShell cwd was reset to ${project}`, {
				...kept('/'),
				stderr: `Shell cwd was reset to ${project}`,
			}),
			call: run('cd / && pwd'),
		},
		'a picture that is printed is shown': {
			told: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
			kept: kept(`data:image/png;base64,${pixel}`, { isImage: true }),
			call: run(`echo 'data:image/png;base64,${pixel}'`),
		},
		'more than 30,000 characters go to a file, and the beginning is shown': {
			...said(
				/^<persisted-output>\nOutput too large \(43KB\)\. Full output saved to: .*\/tool-results\/\w+\.txt\n\nPreview \(first 2KB\):\nrow 000001\n[\s\S]*\n\.\.\.\n<\/persisted-output>$/,
				kept(expect.stringMatching(/^<persisted-output>/) as unknown as string),
			),
			call: run("seq -f 'row %06g' 1 4000"),
		},
		'a command may be left in the background': {
			...said(
				/^Command running in background with ID: b[0-9a-f]{6}\. Output is being written to: .*\/b[0-9a-f]{6}\.output\. You will be notified when it completes\. /,
				kept('', { backgroundTaskId: leftRunning }),
			),
			call: run('echo begun; sleep 0.3; echo over', { run_in_background: true, description: 'Two words' }),
			unlike29: 'Bash in the background',
		},
		'what is not over is not ready': {
			...said(
				/^<retrieval_status>not_ready<\/retrieval_status>\n\n<task_id>b[0-9a-f]{6}<\/task_id>\n\n<task_type>local_bash<\/task_type>\n\n<status>running<\/status>/,
				{ retrieval_status: 'not_ready', task: task('running', expect.any(String) as unknown as string, null) },
			),
			call: ['TaskOutput', { task_id: '{id}', block: false }],
		},
		'its end is waited for': {
			...said(
				/^<retrieval_status>success<\/retrieval_status>\n\n<task_id>b[0-9a-f]{6}<\/task_id>\n\n<task_type>local_bash<\/task_type>\n\n<status>completed<\/status>\n\n<exit_code>0<\/exit_code>\n\n<output>\nbegun\nover\n<\/output>$/,
				{ retrieval_status: 'success', task: task('completed', 'begun\nover', 0) },
			),
			progress: [{ type: 'waiting_for_task', taskDescription: 'Two words', taskType: 'local_bash' }],
			call: ['TaskOutput', { task_id: '{id}' }],
		},
		'the older name answers too': {
			...said(/<output>\nover\n<\/output>$/, { retrieval_status: 'success', task: task('completed', 'over', 0) }),
			call: ['BashOutput', { bash_id: '{id}', filter: 'over' }],
		},
		'a command that takes too long goes on in the background, with what it has printed': {
			...said(
				/^start\nCommand did not complete within its 0\.2s timeout and was moved to the background \(ID: b[0-9a-f]{6}\)\. Output is being written to: .* You will be notified when it completes\./,
				kept('start', { backgroundTaskId: leftRunning, timedOutAfterMs: 200 }),
			),
			call: run('echo start; sleep 600', { timeout: 200 }),
			unlike29: 'Bash over the time limit',
		},
		'waiting has a limit': {
			...said(/^<retrieval_status>timeout<\/retrieval_status>/, {
				...{ retrieval_status: 'timeout', task: task('running', 'start', null) },
			}),
			call: ['TaskOutput', { task_id: '{id}', timeout: 20 }],
		},
		'it is ended': {
			...said(
				/^\{"message":"Successfully stopped task: b[0-9a-f]{6} \(echo start; sleep 600\)","task_id":"b[0-9a-f]{6}","task_type":"local_bash","command":"echo start; sleep 600"\}$/,
				{
					message: expect.stringMatching(/^Successfully stopped task: b[0-9a-f]{6} \(echo start; sleep 600\)$/),
					...{ task_id: leftRunning, task_type: 'local_bash', command: 'echo start; sleep 600' },
				},
			),
			call: ['TaskStop', { task_id: '{id}' }],
			unlike29: 'TaskStop',
		},
		'only once': {
			told: /^<tool_use_error>Task b[0-9a-f]{6} is not running \(status: killed\)<\/tool_use_error>$/,
			...{ isError: true, kept: expect.stringMatching(/^Error: Task b[0-9a-f]{6} is not running \(status: killed\)$/) },
			call: ['KillShell', { shell_id: '{id}' }],
		},
		'a task that there is not': {
			...refusal('No task found with ID: zzz'),
			call: ['TaskStop', { task_id: 'zzz' }],
		},
		'no output of a task that there is not': {
			...refusal('No task found with ID: zzz'),
			call: ['TaskOutput', { task_id: 'zzz' }],
		},
		'a task is needed': { ...refusal('Missing required parameter: task_id'), call: ['TaskStop', {}] },
		'nobody waits longer than ten minutes': {
			told: /^<tool_use_error>InputValidationError: \[\n[\s\S]*"path": \[\n\s+"timeout"\n\s+\][\s\S]*<\/tool_use_error>$/,
			...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
			call: ['TaskOutput', { task_id: 'x', timeout: 600_001 }],
		},
		'a command is needed': {
			...wrong('Bash', 'The required parameter `command` is missing', 'An unexpected parameter `cmd` was provided'),
			call: ['Bash', { cmd: 'x' }],
		},
		'a time limit in quotes is one': {
			...printed('on'),
			call: run('echo on', { timeout: '5000' }),
			unlike29: '`"2"` for 2, `"true"` for true',
		},
		'a time limit in words is none': {
			...wrong('Bash', 'The parameter `timeout` type is expected as `number` but provided as `string`'),
			call: run('true', { timeout: 'soon' }),
		},
	},
	{ files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'folder/x': 'inner\n' } },
);
