/** What `check` says of real files and of files that are broken on purpose. */
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBytes, codecOf, decodeBytes } from '../src/codecs/index.ts';
import { type CorpusFile, corpusFiles, corpusRoot, readJson } from './support/corpus.ts';

const files = corpusFiles().filter((file) => file.bytes().length > 0);

function check(file: CorpusFile): ReturnType<typeof checkBytes> {
	const codec = codecOf(file.format);
	if (!codec) throw new Error(file.format);
	return checkBytes(codec, file.bytes());
}

describe('the corpus', () => {
	it('no file that a real client wrote has an error', () => {
		const recorded = files.filter((file) => !file.handWritten);
		const wrong = recorded.flatMap((file) =>
			check(file)
				.filter((issue) => issue.severity === 'error')
				.map((issue) => `${file.name}:${issue.line} ${issue.rule}`),
		);
		expect(wrong).toEqual([]);
		expect(recorded.length).toBeGreaterThan(100);
	});

	it('nothing that a real client wrote is opaque', () => {
		const opaque = files
			.filter((file) => !file.handWritten)
			.flatMap((file) => {
				const codec = codecOf(file.format);
				const session = codec && decodeBytes(codec, file.bytes());
				return (session?.entries ?? []).flatMap((entry) =>
					entry.kind === 'opaque' ? [`${file.name}: ${entry.type}`] : [],
				);
			});
		expect(opaque).toEqual([]);
	});

	it('every line that is broken on purpose is found where it is', () => {
		const manifest = readJson(join(corpusRoot, 'MANIFEST.json')) as {
			path: string;
			malformed?: { [file: string]: number[] };
		}[];
		let found = 0;
		for (const { path, malformed } of manifest) {
			for (const [name, lines] of Object.entries(malformed ?? {})) {
				const file = files.find((one) => relative(corpusRoot, one.path) === join(path, name));
				if (!file) continue;
				const reported = check(file).map((issue) => issue.line);
				expect(reported, file.name).toEqual(expect.arrayContaining(lines));
				found += lines.length;
			}
		}
		expect(found).toBeGreaterThan(3);
	});
});
