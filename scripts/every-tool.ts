/** A conversation that uses each tool once, for prove-live.ts: the web answers from here, and so does the user. */
import type { AgentConfig } from '../src/agent/config.ts';
import type { Ask } from '../src/agent/contracts.ts';
import { nodeHost } from '../src/host/node-host.ts';
import type { Json } from '../src/model/index.ts';
import type { ScriptTurnInput } from '../src/providers/script.ts';

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
/** Given to every task, so that the script can name it. */
const taskId = '0a0a0a';

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
	calls('TaskOutput', { task_id: `b${taskId}`, block: false }),
	calls('TaskStop', { task_id: `b${taskId}` }),
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
	{ text: 'That was all.' },
	calls('ExitPlanMode', { plan: '1. Rest' }),
	{ text: 'Planned.' },
];

const answers: Ask = async ({ tool, input }) => ({
	allow: true,
	...(tool.name === 'AskUserQuestion'
		? { input: { ...(input as { readonly [key: string]: Json }), answers: { 'Which colour?': 'Blue' } } }
		: {}),
});

/** The world that those tools meet. */
export function everyToolConfig(): Partial<AgentConfig> {
	const host = nodeHost();
	const bytes = Buffer.from('<title>Hello</title><p>Good morning.');
	const links = [{ title: 'Greetings', url: 'https://example.com/greetings' }];
	return {
		ask: answers,
		search: async ({ query }) => ({ parts: [{ is: 'links', query, links }] }),
		host: {
			...host,
			fetchPage: async () => ({ is: 'page', status: 200, statusText: 'OK', type: 'text/html', bytes }),
			randomHex: (digits) => (digits === taskId.length ? taskId : host.randomHex(digits)),
		},
	};
}
