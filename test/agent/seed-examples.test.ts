/** The conversations that the documents print, run for real: the same line types, in the same order, with the same fields. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FormatId, isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { scripted, stage } from '../support/agent.ts';

const seeds = join(import.meta.dirname, '../seeds');
const linesOf = (text: string): readonly JsonObject[] =>
	text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as JsonObject);

/** The fields of a value, of objects inside it too; what a tool or a model made up is its own affair. */
function fieldsOf(value: Json | undefined, free: ReadonlySet<string>, at = ''): readonly string[] {
	if (Array.isArray(value)) return value.flatMap((item: Json) => fieldsOf(item, free, `${at}[]`));
	if (!isObject(value)) return [];
	return Object.keys(value).flatMap((key) => {
		const path = at === '' ? key : `${at}.${key}`;
		return free.has(key) ? [path] : [path, ...fieldsOf(value[key], free, path)];
	});
}

interface Example {
	readonly format: FormatId;
	readonly sample: string;
	readonly prompt: string;
	readonly script: ScriptInput;
	/** A file that the conversation reads. */
	readonly file: readonly [name: string, text: string];
	readonly free: ReadonlySet<string>;
	name(line: JsonObject): string;
}

const examples: readonly Example[] = [
	{
		format: 'claude-code',
		sample: 'claude-code-session-protocol/11-full-conversation.jsonl',
		prompt: 'Read the README and tell me what this project does',
		file: ['README.md', '# My Project\n\nA CLI tool for managing widgets.\n'],
		script: [
			{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'README.md' } }] },
			{ text: 'This project is a CLI tool for managing widgets.' },
		],
		free: new Set(['input', 'usage']),
		name: ({ type, subtype }) => (subtype === undefined ? String(type) : `${type} ${subtype}`),
	},
	{
		format: 'clido',
		sample: 'clido-session-format/complete-session-example.jsonl',
		prompt: 'How many lines is src/main.rs?',
		file: ['main.rs', 'fn main() {\n}\n'],
		script: [
			{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'main.rs' } }] },
			{ text: 'src/main.rs has 312 lines.' },
		],
		free: new Set(['input']),
		name: ({ type }) => String(type),
	},
	{
		format: 'openclaw',
		sample: 'openclaw-message-format/6-transcript.jsonl',
		prompt: 'Read the file main.ts',
		file: ['main.ts', 'export {};\n'],
		script: [
			{
				content: [
					{ type: 'text', text: 'Let me read that file.' },
					{ type: 'tool_use', name: 'Read', input: { file_path: 'main.ts' } },
				],
			},
			{ text: 'The file contains...' },
		],
		free: new Set(['arguments']),
		name: ({ role }) => String(role),
	},
];

/** The document's example has the snapshot before its user line, its text after it: we do as the text says. */
function inOrder(names: readonly string[]): readonly string[] {
	const snapshot = names.indexOf('file-history-snapshot');
	if (snapshot !== 0) return names;
	return [names[1] ?? '', names[0] ?? '', ...names.slice(2)];
}

describe.each(examples)('the example of $format', ({ format, sample, prompt, script, file, free, name }) => {
	it('is written with the document’s line types, order and fields', async () => {
		const printed = linesOf(readFileSync(join(seeds, sample), 'utf8'));
		await using work = await stage(scripted(script), { format, profile: 'published' });
		writeFileSync(join(work.config.cwd, file[0]), file[1]);
		const { result } = await work.run(prompt);
		expect(result.outcome).toBe('success');
		const written = linesOf(readFileSync(work.handle.path, 'utf8'));
		expect(written.map(name)).toEqual(inOrder(printed.map(name)));
		for (const line of printed) {
			const same = written.filter((one) => name(one) === name(line));
			const missing = fieldsOf(line, free).filter((field) => !same.some((one) => fieldsOf(one, free).includes(field)));
			expect([name(line), missing]).toEqual([name(line), []]);
		}
	});
});

describe('the shapes of Cline’s contract', () => {
	it('a turn with reasoning, a tool and a final text has the contract’s fields and no others', async () => {
		const script: ScriptInput = [
			{
				content: [
					{ type: 'thinking', thinking: 'hm', signature: null },
					{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } },
				],
			},
			{ text: 'done' },
		];
		await using work = await stage(scripted(script), { format: 'cline', profile: 'published' });
		await work.run('go');
		const document = JSON.parse(readFileSync(work.handle.path, 'utf8'));
		expect(document).toMatchObject({
			version: 1,
			agent: 'lead',
			sessionId: work.handle.session.id,
			updated_at: expect.any(String),
		});
		const [prompt, call, result, last] = document.messages;
		expect(document.messages).toHaveLength(4);
		expect(Object.keys(prompt)).toEqual(['id', 'role', 'content', 'ts']);
		expect(call.content).toEqual([
			{ type: 'thinking', thinking: 'hm' },
			{ type: 'tool_use', id: expect.any(String), name: 'Read', input: { file_path: 'a.txt' } },
		]);
		expect(call.modelInfo).toMatchObject({ id: 'claude-sonnet-4-5', provider: 'offline' });
		expect(call.metrics).toBeUndefined();
		expect(result.content).toEqual([
			{ type: 'tool_result', tool_use_id: call.content[1].id, content: expect.anything(), is_error: false },
		]);
		expect(Object.keys(last.metrics)).toEqual([
			'inputTokens',
			'outputTokens',
			'cacheReadTokens',
			'cacheWriteTokens',
			'cost',
		]);
	});
});
