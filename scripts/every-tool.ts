/** The script, rules, hooks and answers of a conversation that uses each tool and leaves each kind of record, for prove-live.ts. */
// Hooks run, calls are denied, a server tells how far
// it is. The web answers from here, and so does the user.
import { join } from 'node:path';
import type { AgentConfig } from '../src/agent/config.ts';
import type { Ask } from '../src/agent/contracts.ts';
import { type RuleKind, type Rules, readRule } from '../src/agent/permissions/rule.ts';
import { readHooks } from '../src/host/hooks/hook-settings.ts';
import { hooksOf } from '../src/host/hooks/hooks.ts';
import { nodeHost } from '../src/host/node-host.ts';
import { McpServers } from '../src/mcp/servers.ts';
import type { Json } from '../src/model/index.ts';
import type { ScriptTurnInput } from '../src/providers/script.ts';
import { builtinTools } from '../src/tools/index.ts';
import { skillTool } from '../src/tools/skill.ts';
import { withPages } from '../test/support/pdf.ts';

type Input = NonNullable<Extract<NonNullable<ScriptTurnInput['content']>[number], { type: 'tool_use' }>['input']>;

const use = (name: string, input: Input) => ({ type: 'tool_use' as const, name, input });
const calls = (name: string, input: Input): ScriptTurnInput => ({ content: [use(name, input)] });

const cell = { cell_type: 'code', id: 'c1', source: 'print(1)', metadata: {}, outputs: [], execution_count: null };
const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const question = {
	...{ question: 'Which colour?', header: 'Colour', multiSelect: false },
	options: [
		{ label: 'Red', description: 'like fire' },
		{ label: 'Blue', description: 'like water' },
	],
};
/** Every shell command has one, in their order, so that the script can name those in the background. */
const taskId = (nth: number) => String(nth).padStart(6, '0');
const pages = withPages(['The first page.', 'The second page.']).toString('base64');
/** A program that is called like GitHub's and says that it has made a pull request. */
const gh = "mkdir bin; printf '#!/bin/sh\\necho https://github.com/acme/site/pull/7\\n' > bin/gh; chmod +x bin/gh";

/** Two prompts: the second is a plan. */
export const everyTool: readonly ScriptTurnInput[] = [
	{ content: [use('Read', { file_path: 'a.txt' }), use('Glob', { pattern: '**/*.txt' })] },
	calls('Grep', { pattern: 'hello', output_mode: 'content' }),
	calls('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' }),
	calls('Write', { file_path: 'n.ipynb', content: notebook }),
	calls('Read', { file_path: 'n.ipynb' }),
	calls('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: 'print(2)' }),
	calls('Bash', { command: `echo ${pixel} | base64 -d > p.png; seq 20000` }),
	calls('Read', { file_path: 'p.png' }),
	calls('Bash', { command: 'echo begun; sleep 60', run_in_background: true }),
	calls('TaskOutput', { task_id: `b${taskId(2)}`, block: false }),
	calls('TaskStop', { task_id: `b${taskId(2)}` }),
	calls('Bash', { command: 'sleep 1; echo done', run_in_background: true }),
	calls('TaskOutput', { task_id: `b${taskId(3)}`, block: true }),
	// Long enough that somebody is told of it meanwhile.
	calls('Bash', { command: 'echo begun; sleep 3; echo ended' }),
	calls('Bash', { command: `echo ${pages} | base64 -d > two.pdf` }),
	calls('Read', { file_path: 'two.pdf', pages: '1-2' }),
	calls('Bash', { command: `${gh}; PATH=$PWD/bin:$PATH gh pr create --fill` }),
	{ content: [use('Bash', { command: 'mkdir denied' }), use('Bash', { command: 'rmdir bin' })] },
	calls('Bash', { command: 'touch hooked' }),
	calls('mcp__test__wait', {}),
	calls('mcp__test__dot', {}),
	calls('Skill', { skill: 'polish', args: 'twice' }),
	calls('TodoWrite', { todos: [{ content: 'Do it', status: 'in_progress', activeForm: 'Doing it' }] }),
	calls('TaskCreate', { subject: 'First', description: 'the first thing' }),
	calls('TaskUpdate', { taskId: '1', status: 'completed' }),
	calls('TaskGet', { taskId: '1' }),
	calls('TaskList', {}),
	calls('WebFetch', { url: 'https://example.com/', prompt: 'What is it?' }),
	// The model is asked about the page beside the conversation.
	{ text: 'A greeting.' },
	calls('WebSearch', { query: 'greetings' }),
	calls('AskUserQuestion', { questions: [question] }),
	calls('EnterPlanMode', {}),
	{ text: 'That was all.' },
	calls('ExitPlanMode', { plan: '1. Rest' }),
	{ text: 'Planned.' },
];

const answers: Ask = async ({ tool, input, subjects }) =>
	subjects[0] === 'rmdir bin'
		? { allow: false, reason: 'Keep it.' }
		: {
				allow: true,
				...(tool.name === 'AskUserQuestion'
					? { input: { ...(input as { readonly [key: string]: Json }), answers: { 'Which colour?': 'Blue' } } }
					: {}),
			};

const rulesOf = (kind: RuleKind, text: string): Rules[RuleKind] => {
	const read = readRule(text, kind);
	return 'rule' in read ? [read.rule] : [];
};

const rules: Rules = { allow: [], ask: rulesOf('ask', 'Bash(rmdir:*)'), deny: rulesOf('deny', 'Bash(mkdir denied)') };

const command = (does: string) => ({ type: 'command', command: does });
const context = (hookEventName: string, additionalContext: string) =>
	command(`echo '${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } })}'`);

/** One at every point of a run; one of them keeps a call from being made. */
const hooks = {
	SessionStart: [{ hooks: [command('echo the sky is blue')] }],
	UserPromptSubmit: [{ hooks: [context('UserPromptSubmit', 'the moon is full')] }],
	PreToolUse: [
		{ matcher: 'Grep', hooks: [context('PreToolUse', 'look closely')] },
		{ matcher: 'Bash', hooks: [command('grep -q "touch hooked" && { echo not this one >&2; exit 2; }; true')] },
	],
	PostToolUse: [{ matcher: 'Write', hooks: [context('PostToolUse', 'well written')] }],
	Stop: [{ hooks: [command('echo it ends >&2')] }],
};

/** The world that those tools meet. What it has started ends with the stack. */
export async function everyToolConfig(ends: AsyncDisposableStack): Promise<Partial<AgentConfig>> {
	const host = nodeHost();
	const bytes = Buffer.from('<title>Hello</title><p>Good morning.');
	const links = [{ title: 'Greetings', url: 'https://example.com/greetings' }];
	const cwd = import.meta.dirname;
	const server = join(cwd, '../test/support/mcp-server.ts');
	const reach = { kind: 'stdio', command: process.execPath, args: [server], env: {} } as const;
	const note = (text: string): never => {
		throw new Error(text);
	};
	const servers = ends.use(
		await McpServers.start([{ name: 'test', from: '', reach }], { cwd, env: process.env, note }),
	);
	let commands = 0;
	return {
		tools: [...builtinTools.filter(({ name }) => name !== 'Skill'), skillTool([skill]), ...servers.tools],
		ask: answers,
		rules,
		hooks: hooksOf(readHooks(hooks, note), { cwd, env: {} }),
		setMode: () => undefined,
		expand: async () => ({ command: { name: skill.name, args: 'twice' }, texts: ['Polish it twice.'] }),
		search: async ({ query }) => ({ parts: [{ is: 'links', query, links }] }),
		host: {
			...host,
			fetchPage: async () => ({ is: 'page', status: 200, statusText: 'OK', type: 'text/html', bytes }),
			randomHex: (digits) => (digits === taskId(0).length ? taskId(++commands) : host.randomHex(digits)),
		},
	};
}

const skill = { name: 'polish', description: 'polishes things' };
