/** What is special about reading Cline's files: all are typed, claimed and judged as its client judges them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { mutation, seed } from '../../../test/support/mutate.ts';
import type { Codec } from '../codec.ts';
import { checkBytes } from '../shared/check/check.ts';
import { detect } from '../shared/read/detect.ts';
import { decodeBytes } from '../shared/read/read.ts';
import { cline } from './index.ts';
import { looksLikeMessage } from './read/decode.ts';

const files = corpusFiles('cline');

describe('files of the corpus and damaged ones', () => {
	test('every file is typed throughout', () => {
		expect(files.length).toBeGreaterThan(30);
		for (const file of files) {
			const session = decodeBytes(cline, file.bytes());
			expect(session.issues, file.name).toEqual([]);
			for (const entry of session.entries) {
				expect(entry.kind, file.name).toBe('message');
				if (entry.kind === 'message') expect(entry.content.some((block) => block.type === 'opaque')).toBe(false);
			}
		}
	});

	test('every file is claimed, also by its first bytes', () => {
		for (const file of files) {
			const bytes = file.bytes();
			expect(cline.read.claims(JSON.parse(Buffer.from(bytes).toString('utf8'))), file.name).toBeDefined();
			const head = bytes.subarray(0, Math.min(bytes.length, 600));
			expect(detect([cline], { head, complete: head.length === bytes.length }), file.name).toMatchObject({
				codec: cline,
			});
		}
	});

	test('damage is an error exactly when the client cannot parse the file', () => {
		const parses = (bytes: Uint8Array): boolean => {
			try {
				JSON.parse(Buffer.from(bytes).toString('utf8').trim());
				return true;
			} catch (error) {
				expect(error).toBeInstanceOf(SyntaxError);
				return false;
			}
		};
		const small = files.filter((file) => file.bytes().length < 20_000);
		fc.assert(
			fc.property(fc.constantFrom(...small), mutation, (file, damage) => {
				const bytes = damage.apply(file.bytes());
				if (Buffer.from(bytes).toString('utf8').trim() === '') return;
				const flaws = checkBytes(cline, bytes).map((issue) => issue.rule);
				expect(flaws.includes('cline/torn') || flaws.includes('cline/not-json')).toBe(!parses(bytes));
			}),
			{ seed, numRuns: 200 },
		);
	});

	test('a document over several lines is not taken for lines of another format', () => {
		const other: Codec = {
			...cline,
			id: 'openclaw',
			read: { ...cline.read, claims: (value) => (looksLikeMessage(value) ? 'bare' : undefined) },
		};
		const head = Buffer.from(
			'{"version":1,"messages":[\n{"role":"user","content":"x"},\n{"role":"user","content":"y"}\n]}\n',
		);
		expect(detect([other, cline], { head, complete: true })).toMatchObject({ codec: cline, dialect: 'contract' });
	});

	test('a document of something else is not taken for a session, whichever side of its messages says so', () => {
		for (const text of [
			'{"messages":[{"role":"user","content":"x"}],\n"model":"m"}',
			'{"model":"m",\n"messages":[]}',
		]) {
			expect(detect([cline], { head: Buffer.from(text), complete: true })).toBeUndefined();
		}
	});
});
