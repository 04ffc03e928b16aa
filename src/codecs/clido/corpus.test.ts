/** What is special about reading Clido's files, and the real reader's verdicts over its whole corpus. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusFiles, readJson } from '../../../test/support/corpus.ts';
import { type Issue, isObject } from '../../model/index.ts';
import { checkBytes } from '../shared/check/check.ts';
import { decodeBytes } from '../shared/read/read.ts';
import { clido } from './index.ts';

const files = corpusFiles('clido');

function errors(bytes: Uint8Array): readonly Issue[] {
	return checkBytes(clido, bytes).filter((issue) => issue.severity === 'error');
}

describe('every file of the corpus', () => {
	it('no known line becomes opaque', () => {
		for (const file of files) {
			const refused = errors(file.bytes()).length > 0;
			const session = decodeBytes(clido, file.bytes());
			if (!refused) expect(session.entries.filter((entry) => entry.kind === 'opaque')).toEqual([]);
		}
	});

	it('the first line of every file is claimed', () => {
		for (const file of files) {
			const [first] = Buffer.from(file.bytes()).toString('utf8').split('\n');
			if (first) expect(clido.read.claims(JSON.parse(first))).toBeDefined();
		}
	});
});

describe('a damaged file', () => {
	it('a torn tail hides nothing before it', () => {
		const bytes = Buffer.from(files[0]?.bytes() ?? []);
		const cut = bytes.subarray(0, bytes.length - 20);
		const whole = decodeBytes(clido, bytes);
		expect(decodeBytes(clido, cut).entries).toEqual(whole.entries.slice(0, -1));
		expect(errors(cut).map((issue) => issue.rule)).toEqual(['clido/torn']);
	});
});

describe('verdicts of the real reader', () => {
	it('exactly the files that it refuses have an error', () => {
		let judged = 0;
		for (const file of files) {
			const path = join(file.folder, 'expected.1.0.15.json');
			if (!existsSync(path) || file.bytes().length === 0) continue;
			const expected = readJson(path);
			if (!isObject(expected)) throw new Error(path);
			const refused = 'load_error' in expected || 'strict_error' in expected;
			expect({ file: file.scenario, refused: errors(file.bytes()).length > 0 }).toEqual({
				file: file.scenario,
				refused,
			});
			judged += 1;
		}
		expect(judged).toBe(36);
	});

	it('the error is on the line that the reader names', () => {
		for (const file of files) {
			const path = join(file.folder, 'expected.1.0.15.json');
			const expected = existsSync(path) ? readJson(path) : undefined;
			const message = isObject(expected) ? expected.load_error : undefined;
			const line = typeof message === 'string' ? /^line (\d+)/.exec(message)?.[1] : undefined;
			if (line !== undefined) expect(errors(file.bytes())[0]?.line).toBe(Number(line));
		}
	});

	it('a file that Clido wrote itself has no error and no warning of its own profile', () => {
		const own = files.filter((file) => !file.handWritten);
		expect(own.length).toBeGreaterThan(0);
		for (const file of own) {
			const issues = checkBytes(clido, file.bytes()).filter((issue) => issue.profile !== 'published');
			expect(issues).toEqual([]);
		}
	});
});
