/** The session files of the corpus, found by the rules of their folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { codecs } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';

export const corpusRoot = join(import.meta.dirname, '../corpus');

export interface CorpusFile {
	readonly path: string;
	/** Relative to the corpus, for test names. */
	readonly name: string;
	readonly format: FormatId;
	/** `2.1.29`, `resume-cases`, `pi-0.87.1` … */
	readonly version: string;
	readonly scenario: string;
	/** The scenario's folder, where `expected.*.json` are. */
	readonly folder: string;
	readonly role: 'main' | 'subagent';
	/** Hand-written or damaged on purpose, as opposed to recorded from a real client. */
	readonly handWritten: boolean;
	bytes(): Uint8Array;
}

/** Main files and sub-agents' own, in the folders that clients keep them in. */
const sessionFile =
	/\/projects\/[^/]+\/([^/]+\/subagents\/agent-)?[^/]+\.jsonl$|\.messages\.json$|(\/min\/[^/]+\/session|\/snapshots\/[^/]+|\/sessions\/.*)\.jsonl$/;

/** Formats in the corpus with a file that real sessions have, in a stable order. */
export function corpusFiles(format?: FormatId): readonly CorpusFile[] {
	const formats = format ? [format] : codecs.map(({ id }) => id);
	return formats.flatMap((id) =>
		walk(join(corpusRoot, id))
			.filter((path) => sessionFile.test(path) && !path.includes('.trajectory'))
			.map((path) => describeFile(id, path)),
	);
}

function describeFile(format: FormatId, path: string): CorpusFile {
	const name = relative(corpusRoot, path);
	const [, version = '', scenario = ''] = name.split('/');
	const handWritten =
		['resume-cases', 'min', 'generated'].includes(version) ||
		['list-picker', 'cli-foreign-resume'].includes(scenario) ||
		(format === 'clido' && scenario !== 'written-by-clido');
	return {
		path,
		name,
		format,
		version,
		scenario,
		folder: join(corpusRoot, format, version, scenario),
		role: isSubagent(path) ? 'subagent' : 'main',
		handWritten,
		bytes: () => readFileSync(path),
	};
}

function isSubagent(path: string): boolean {
	return /\/agent-[^/]+\.jsonl$/.test(path) || /\/([^/]+)\/(?!\1\.messages)[^/]+\.messages\.json$/.test(path);
}

function walk(folder: string): readonly string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((item) => item.isFile())
		.map((item) => join(item.parentPath, item.name))
		.sort();
}

export function readJson(path: string): unknown {
	return JSON.parse(readFileSync(path, 'utf8'));
}
