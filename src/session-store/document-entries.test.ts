/** Documents and damaged lines go into a store as entries and come back as the bytes that they were. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { postgresStore } from './adapters/postgres.ts';
import { postgresAddress } from './adapters/postgres-url.ts';
import { documentText, lineText, transcriptBytes } from './document-entries.ts';
import { lineFrom } from './exact-store.ts';

const bytes = fc.oneof(
	fc.uint8Array({ maxLength: 60 }),
	fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => new Uint8Array(Buffer.from(text))),
	fc.constantFrom('{"a":[]}', '{"a":[1]}', '{"a":[1,"é"]}', '').map((text) => new Uint8Array(Buffer.from(text))),
);

it('any history of a document ends in its last state', () => {
	fc.assert(
		fc.property(fc.array(bytes, { minLength: 1, maxLength: 8 }), (states) => {
			let before = new Uint8Array(0);
			const lines: string[] = [];
			for (const state of states) {
				const text = documentText(before, state);
				if (text !== undefined) lines.push(text);
				before = state;
			}
			expect(Buffer.from(transcriptBytes(lines)).equals(before)).toBe(true);
		}),
		{ numRuns: 500 },
	);
});

it('any lines come back as they were, and each is an entry', () => {
	const line = fc.oneof(
		bytes,
		fc.json().map((text) => new Uint8Array(Buffer.from(`{"v":${text}}`))),
		fc
			.constantFrom('reprise-line', 'reprise-document', 'reprise-tag', 'agent_metadata')
			.map((type) => new Uint8Array(Buffer.from(`{"type":"${type}","text":"x","kept":[0,0]}`))),
	);
	fc.assert(
		fc.property(fc.array(line, { maxLength: 8 }), (all) => {
			const given = all.map((one) => one.filter((byte) => byte !== 10));
			const texts = given.map(lineText);
			expect(texts.every((text) => lineFrom(text) !== undefined && !/[\n\0]/.test(text))).toBe(true);
			const wanted = Buffer.concat(given.flatMap((one) => [one, Buffer.from('\n')]));
			expect(Buffer.from(transcriptBytes(texts)).equals(wanted)).toBe(true);
		}),
		{ numRuns: 500 },
	);
});

it('the address of a database is shown without user, password and options', () => {
	const shown = (url: string): string => postgresAddress(url).shown;
	expect(shown('postgres://me:p%40ss@host:5433/db?sslmode=require')).toBe('postgres://host:5433/db');
	expect(shown('postgresql://me:pa@ss@host/db')).toBe('postgres://host/db');
	expect(shown('postgres://me@%2Frun%2Fpg/db')).toBe('postgres:/db?host=/run/pg');
	expect(shown('postgres:///db?host=/run/pg')).toBe('postgres:/db?host=/run/pg');
	expect(shown('postgresql://[::1]:5432/db')).toBe('postgres://[::1]:5432/db');
	expect(postgresAddress('postgres://me:one@host/db').name).toBe(postgresAddress('postgres://me:two@host/db').name);
});

it('what is no address of a database is refused before anybody asks for it, without being repeated', () => {
	for (const text of [
		'nonsense',
		'',
		'postgres:db',
		'mysql://me:geheim@host/db',
		'http://host/db',
		'postgres://host:geheim/db',
	])
		for (const open of [postgresStore, postgresAddress])
			expect(() => open(text)).toThrow(/^the URL cannot be read: a PostgreSQL database is postgres:\/\/[A-Z:@/]+$/);
});
