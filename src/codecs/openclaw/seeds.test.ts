/** Every JSON sample of the published document: understood, accepted, and written again byte for byte. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readThenWriteGivesTheSameBytes } from '../../../test/support/laws.ts';
import type { Entry, MessageEntry } from '../../model/index.ts';
import { checkBytes, issuesIn } from '../shared/check/check.ts';
import { decodeBytes } from '../shared/read/read.ts';
import { openclaw } from './index.ts';

const folder = join(import.meta.dirname, '../../../test/seeds/openclaw-message-format');
const names = readdirSync(folder);
const bytesOf = (name: string) => readFileSync(join(folder, name));
const sample = (name: string) => decodeBytes(openclaw, bytesOf(name), 'sample').entries;
const message = (entries: readonly Entry[], index: number) => entries[index] as MessageEntry;

describe('all samples', () => {
	test('each is read as typed messages without anything opaque', () => {
		expect(names.length).toBe(9);
		for (const name of names) {
			for (const entry of sample(name)) {
				expect(entry.kind, name).toBe('message');
				expect(JSON.stringify(entry), name).not.toContain('"opaque"');
			}
		}
	});

	test('each passes the published profile without a warning', () => {
		for (const name of names) expect(issuesIn('published', checkBytes(openclaw, bytesOf(name))), name).toEqual([]);
	});

	test('each round-trips byte for byte', () => {
		for (const name of names) readThenWriteGivesTheSameBytes(openclaw, bytesOf(name));
	});

	test('each is written by the published profile exactly as the document has it', () => {
		for (const name of names) {
			const session = decodeBytes(openclaw, bytesOf(name), 'sample');
			const { bytes, losses } = openclaw.write.encode({
				profile: 'published',
				id: 'sample',
				header: session.header,
				entries: session.entries,
			});
			expect(Buffer.from(bytes).toString('utf8'), name).toBe(bytesOf(name).toString('utf8'));
			expect(losses, name).toEqual([]);
		}
	});
});

describe('what each sample means', () => {
	test('a simple prompt is one text block with its time', () => {
		const entry = message(sample('3.1-user-simple-text.jsonl'), 0);
		expect(entry.content).toEqual([{ type: 'text', text: 'Read the file src/index.ts' }]);
		expect(entry.time).toBe('2025-02-19T21:20:00.000Z');
		expect(entry).toMatchObject({ id: 'line:1', parent: null, role: 'user' });
	});

	test('a prompt with images has text and image blocks', () => {
		const entry = message(sample('3.1-user-with-images.jsonl'), 0);
		expect(entry.content.map((block) => block.type)).toEqual(['text', 'image']);
		expect(entry.content[1]).toMatchObject({ mime: 'image/png' });
	});

	test('a text response carries api, provider, model, usage, cost and stop reason', () => {
		const entry = message(sample('3.2-assistant-text-response.jsonl'), 1);
		expect(entry.response).toEqual({
			api: 'anthropic-messages',
			provider: 'anthropic',
			model: 'claude-opus-4-6',
			stop: 'end',
			usage: { input: 1500, output: 200, cacheRead: 0, cacheWrite5m: 1500, cacheWrite1h: 0 },
			costUsd: 0.0655,
		});
	});

	test('a response with tool calls has thinking, text and call', () => {
		const entry = message(sample('3.2-assistant-with-tool-calls.jsonl'), 1);
		expect(entry.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_call']);
		expect(entry.content[2]).toEqual({
			type: 'tool_call',
			id: 'toolu_01A09q90qw90lq917835lq9',
			name: 'read',
			input: { file_path: '/home/user/src/index.ts', offset: 0, limit: 200 },
		});
		expect(entry.response?.stop).toBe('tool');
	});

	test('a successful tool result keeps its details', () => {
		const [block] = message(sample('3.3-tool-result-success.jsonl'), 2).content;
		expect(block).toMatchObject({
			type: 'tool_result',
			call: 'toolu_01A09q90qw90lq917835lq9',
			name: 'read',
			isError: false,
			details: { file_path: '/home/user/src/index.ts', lines: 200 },
		});
	});

	test('a failed tool result is marked as an error', () => {
		const [block] = message(sample('3.3-tool-result-error.jsonl'), 2).content;
		expect(block).toMatchObject({ type: 'tool_result', name: 'exec', isError: true });
	});

	test('signatures of text, thinking and tool calls are kept', () => {
		const entry = message(sample('2-content-blocks.jsonl'), 1);
		expect(entry.content).toMatchObject([
			{ type: 'thinking', signature: 'c2lnbmF0dXJl' },
			{ type: 'text', signature: '{"v":1,"id":"msg_1"}' },
			{ type: 'tool_call', signature: 'dGhvdWdodA==' },
		]);
	});

	test('every stop reason of the document has its neutral word', () => {
		const stops = sample('3.2-stop-reasons.jsonl').flatMap((entry) =>
			entry.kind === 'message' ? (entry.response?.stop ?? []) : [],
		);
		expect(stops).toEqual(['end', 'length', 'error', 'aborted', 'end']);
	});

	test('the transcript of section 6 is one line after the other', () => {
		const entries = sample('6-transcript.jsonl');
		expect(entries.map((entry) => entry.parent)).toEqual([null, 'line:1', 'line:2', 'line:3']);
		expect(decodeBytes(openclaw, bytesOf('6-transcript.jsonl')).dialect).toBe('bare');
	});
});
