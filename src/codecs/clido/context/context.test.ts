/** What Clido sends when it resumes a session: its recorded verdicts, cases by its rules, and laws for any bytes. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import { mutation, seed } from '../../../../test/support/mutate.ts';
import { isObject } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import type { Context, ContextOptions } from '../../shared/context/context.ts';
import { type LineIndex, parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { clido } from '../index.ts';
import { build as context } from './context.ts';
import { contextMessages } from './messages.ts';

/*
 * What is changed before our messages are compared with recorded ones:
 *
 * | normalisation | applies | why                                                                                        |
 * | ------------- | ------- | ------------------------------------------------------------------------------------------ |
 * | reminders     | no      | Clido puts none into a resumed history                                                     |
 * | system role   | no      | its system prompt is no message and in no file                                             |
 * | cache marks   | no      | the only one is on its system prompt                                                       |
 * | image shape   | no      | records hold Clido's own blocks, as `contextMessages` does; the wire shape has its own law |
 */

const files = corpusFiles('clido');
const cases = join(import.meta.dirname, '../../../../test/context/clido');

function resume(bytes: Uint8Array, options: ContextOptions = {}): Context {
	return whole(context(parsedIndex(clido, bytes), options));
}

/** The context in Clido's own shapes. */
function own(bytes: Uint8Array): unknown {
	const resumed = contextMessages(parsedIndex(clido, bytes));
	return resumed.ok ? resumed.messages.map(({ role, content }) => ({ role, content })) : resumed;
}

function lines(...values: readonly object[]): Uint8Array {
	return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function object(path: string): { readonly [key: string]: unknown } {
	const value = readJson(path);
	if (!isObject(value)) throw new Error(`${path} is no object`);
	return value;
}

const verdicts = files
	.map((file) => ({ file, path: join(file.folder, 'expected.1.0.15.json') }))
	.filter(({ path }) => existsSync(path))
	.map(({ file, path }) => ({ file, expected: object(path) }));

describe('recorded verdicts of Clido 1.0.15', () => {
	it('the messages are equal for every file that it resumes', () => {
		let compared = 0;
		for (const { file, expected } of verdicts) {
			if (!('messages' in expected)) continue;
			expect({ file: file.scenario, messages: own(file.bytes()) }).toEqual({
				file: file.scenario,
				messages: expected.messages,
			});
			expect(resume(file.bytes()).refused).toBeUndefined();
			compared += 1;
		}
		expect(compared).toBe(22);
	});

	it('exactly the files that it does not load or resume are refused, and nothing is sent', () => {
		let refused = 0;
		for (const { file, expected } of verdicts) {
			const answer = resume(file.bytes());
			const should = 'load_error' in expected || 'strict_error' in expected;
			expect({ file: file.scenario, refused: answer.refused !== undefined }).toEqual({
				file: file.scenario,
				refused: should,
			});
			if (!should) continue;
			expect(answer.messages).toEqual([]);
			refused += 1;
		}
		expect(refused).toBe(15);
	});

	it('the refusal names the line that its error names', () => {
		let named = 0;
		for (const { file, expected } of verdicts) {
			const error = String(expected.load_error ?? expected.strict_error ?? '');
			const number = /^line (\d+)/.exec(error)?.[1];
			if (number === undefined) continue;
			// The client's errors about blocks count the loaded lines from 0; none of these files has a blank line.
			const line = 'strict_error' in expected ? Number(number) + 1 : Number(number);
			expect(resume(file.bytes()).refused).toMatch(new RegExp(`^line ${line}: `));
			named += 1;
		}
		expect(named).toBe(14);
	});

	it('a file that Clido wrote itself is resumed', () => {
		for (const file of files.filter(({ handWritten }) => !handWritten)) {
			const answer = resume(file.bytes());
			expect(answer.refused).toBeUndefined();
			expect(answer.messages.length).toBeGreaterThan(0);
		}
	});
});

describe('cases by its rules', () => {
	const names = readdirSync(cases);

	it('there are cases', () => {
		expect(names.length).toBeGreaterThanOrEqual(15);
	});

	it.each(names)('%s', (name) => {
		const bytes = readFileSync(join(cases, name, 'session.jsonl'));
		const expected = object(join(cases, name, 'expected.1.0.15.json'));
		const answer = resume(bytes);
		if (isObject(expected.refused)) {
			expect(answer.refused).toMatch(new RegExp(`^line ${expected.refused.line}: `));
			const resumeOnly = /refuses to resume/.test(answer.refused ?? '');
			expect(resumeOnly ? 'resume' : 'load').toBe(expected.refused.when);
			expect(answer.messages).toEqual([]);
		} else {
			expect(answer.refused).toBeUndefined();
			expect(own(bytes)).toEqual(expected.messages);
			expect(answer.from).toEqual(expected.from);
		}
	});
});

describe('the wire', () => {
	const image = { type: 'image', media_type: 'image/png', base64_data: 'iVBORw0KGgo=' };
	const wired = {
		type: 'image',
		source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
	};

	it('an image has a source there and keeps its own shape in the messages of Clido', () => {
		const bytes = lines({ type: 'user_message', role: 'user', content: [image] });
		expect(resume(bytes).messages).toEqual([{ role: 'user', content: [wired] }]);
		expect(own(bytes)).toEqual([{ role: 'user', content: [image] }]);
	});

	it('everything but images is what Clido has', () => {
		for (const { file, expected } of verdicts) {
			if (!Array.isArray(expected.messages) || JSON.stringify(expected.messages).includes('base64_data')) continue;
			expect(resume(file.bytes()).messages).toEqual(expected.messages);
		}
	});

	it('every version of the client gets the rules of the one that is known', () => {
		const bytes = lines({ type: 'user_message', role: 'user', content: [{ type: 'text', text: 'go' }] });
		for (const client of ['0.1.0', '1.0.15', '9.0.0', 'no version']) {
			expect(resume(bytes, { client })).toEqual(resume(bytes));
		}
		expect(clido.context.clients).toEqual([resume(bytes).client]);
	});
});

describe('resuming at an entry', () => {
	const call = { type: 'tool_use', id: 'a', name: 'Read', input: {} };
	const bytes = lines(
		{ type: 'user_message', role: 'user', content: [{ type: 'text', text: 'go' }] },
		{ type: 'assistant_message', content: [call] },
		{ type: 'tool_result', tool_use_id: 'a', content: 'A', is_error: false },
		{ type: 'checkpoint' },
	);

	it('calls whose results come later count as interrupted', () => {
		const { messages, from } = resume(bytes, { at: 'line:2' });
		const content = '[interrupted — tool execution did not complete]';
		expect(messages[2]).toEqual({
			role: 'user',
			content: [{ type: 'tool_result', tool_use_id: 'a', content, is_error: true }],
		});
		expect(from).toEqual([['line:1'], ['line:2'], []]);
	});

	it('what comes later is not judged', () => {
		expect(resume(bytes, { at: 'line:3' }).refused).toBeUndefined();
		expect(resume(bytes, { at: 'line:4' }).refused).toMatch(/^line 4: /);
	});

	it('an entry that is not there is named', () => {
		const whole = lines({ type: 'user_message', role: 'user', content: [] });
		expect(resume(whole, { at: 'line:9' })).toMatchObject({
			messages: [],
			refused: 'this session has no entry line:9',
		});
	});

	it('equals resuming the file cut after that entry', () => {
		for (const file of [...files.map((one) => one.bytes()), ...readdirSync(cases).map(caseBytes)]) {
			for (const entry of decodeBytes(clido, file).entries) {
				const end = endOf(file, entry.records[0] ?? -1);
				expect(resume(file, { at: entry.id })).toEqual(resume(file.subarray(0, end)));
			}
		}
	});
});

function caseBytes(name: string): Uint8Array {
	return readFileSync(join(cases, name, 'session.jsonl'));
}

/** The offset behind a record. */
function endOf(bytes: Uint8Array, index: number): number {
	const record = decodeBytes(clido, bytes).records[index];
	if (!record) throw new Error(`no record ${index}`);
	return record.at + record.length;
}

describe('laws for any bytes', () => {
	it('every call is answered by the next message, and what is sent comes from entries that exist', () => {
		const sources = [...files.map((file) => file.bytes()), ...readdirSync(cases).map(caseBytes)];
		fc.assert(
			fc.property(fc.constantFrom(...sources), fc.array(mutation, { maxLength: 3 }), (source, mutations) => {
				const bytes = mutations.reduce((before, { apply }) => apply(before), source);
				const { messages, from, refused } = resume(bytes);
				// The validator's errors are what the client refuses.
				const errors = checkBytes(clido, bytes).some((issue) => issue.severity === 'error');
				expect(refused !== undefined).toBe(errors);
				const ids = new Set(decodeBytes(clido, bytes).entries.map((entry) => entry.id));
				expect(from.flat().filter((id) => !ids.has(id))).toEqual([]);
				expect(from.length).toBe(messages.length);
				messages.forEach((message, i) => {
					if (message.role === 'assistant')
						expect(resultsIn(messages[i + 1])).toEqual(expect.arrayContaining([...callsIn(message)]));
				});
			}),
			{ numRuns: 400, seed },
		);
	});

	it('a long history of open calls is answered in one pass', () => {
		const call = { type: 'tool_use', id: 'a', name: 'Read', input: {} };
		const line = `${JSON.stringify({ type: 'assistant_message', content: [call] })}\n`;
		expect(resume(Buffer.from(line.repeat(20_000))).messages.length).toBe(40_000);
	});

	it('an index that hides lines is an error of the program, not a refusal', () => {
		const { records, ...rest } = parsedIndex(clido, lines({ type: 'title', title: 'T' }));
		expect(records).toBeDefined();
		const hiding: LineIndex = rest;
		expect(() => context(hiding, {})).toThrow(/all records/);
		expect(() => context({ ...rest, partial: true }, {})).toThrow(/all records/);
	});
});

function callsIn({ content }: Context['messages'][number]): readonly unknown[] {
	if (typeof content === 'string') return [];
	return content.filter((block) => block.type === 'tool_use').map((block) => block.id);
}

function resultsIn(message: Context['messages'][number] | undefined): readonly unknown[] {
	if (!message || typeof message.content === 'string') return [];
	return message.content.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
}
