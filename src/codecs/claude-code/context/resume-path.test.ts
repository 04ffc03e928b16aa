/** The resume path: the same from the end of a file as from all of it, with the notes that belong to a message. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { treeFile } from '../../../../test/support/claude-code-trees.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { endOf } from '../../../../test/support/ends.ts';
import { seed } from '../../../../test/support/mutate.ts';
import type { Session } from '../../../model/index.ts';
import { parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';
import { liveCuts } from '../write/roots.ts';
import { resumePath } from './resume-path.ts';

/** How many ends of a file gave the path; each must be the end of the path from the whole file. */
function endsThatReach(bytes: Uint8Array): number {
	const index = parsedIndex(claudeCode, bytes);
	const whole = resumePath.trail(index);
	let reached = 0;
	for (let from = 1; from < index.length; from += 1) {
		const found = resumePath.trail(endOf(index, from));
		if (!found.reached) continue;
		expect([found.lines.map((line) => line + from), found.nothing]).toEqual([whole.lines, whole.nothing]);
		reached += 1;
	}
	return reached;
}

describe('the end of a file', () => {
	test('tells the way of the whole file, or that it does not reach far enough', () => {
		fc.assert(
			fc.property(treeFile, (bytes) => void endsThatReach(bytes)),
			{ numRuns: 300, seed },
		);
	});

	test('is enough from the last compaction on', () => {
		const compacted = corpusFiles('claude-code')
			.filter((file) => !file.handWritten)
			.map((file) => file.bytes())
			.filter((bytes) => Buffer.from(bytes).includes('"isCompactSummary":true'));
		expect(compacted.length).toBeGreaterThan(2);
		for (const bytes of compacted) expect(endsThatReach(bytes)).toBeGreaterThan(0);
	});
});

test('asks only for what its envelope names', () => {
	for (const file of corpusFiles('claude-code')) {
		const index = parsedIndex(claudeCode, file.bytes());
		const field = (at: number, path: string) => {
			expect(resumePath.envelope).toContain(path);
			return index.field(at, path);
		};
		resumePath.trail({ ...index, field });
	}
});

const line = (fields: object): string => `${JSON.stringify({ timestamp: '2026-01-03T00:00:00.000Z', ...fields })}\n`;
const says = (uuid: string, parentUuid: string | null): string =>
	line({ type: 'user', uuid, parentUuid, message: { role: 'user', content: uuid } });
const note = (uuid: string, parentUuid: string): string =>
	line({ type: 'system', subtype: 'local_command', uuid, parentUuid, content: '<command-name>/x</command-name>' });

function leafOf(...lines: readonly string[]): string | undefined {
	const index = parsedIndex(claudeCode, Buffer.from(lines.join('')));
	const last = resumePath.trail(index).lines.at(-1);
	return last === undefined ? undefined : resumePath.id(index, last);
}

test('what follows a message that was gone back to follows its notes, as the client has it', () => {
	const back = line({ type: 'last-prompt', leafUuid: 'u1', explicit: true });
	expect(leafOf(says('u1', null), note('n1', 'u1'), note('n2', 'n1'), says('u2', 'n2'), back)).toBe('n2');
	expect(leafOf(says('u1', null), says('u2', 'u1'), back)).toBe('u1');
});

test('nothing follows a boundary without a summary, because that would cut off what is before it', () => {
	const boundary = line({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: 'u1' });
	expect(leafOf(says('u1', null), boundary)).toBe('u1');
	expect(leafOf(says('u1', null), boundary, says('s', 'b'))).toBe('s');
});

test('a cut on a branch that was left goes only where some cut keeps messages', () => {
	const cut = (keeps: boolean): string => {
		const kept = { preservedMessages: { anchorUuid: 's', uuids: ['u1'] } };
		const compactMetadata = keeps ? kept : {};
		return line({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: 'u1', compactMetadata });
	};
	const sessionOf = (keeps: boolean): Session => {
		const lines = [says('u1', null), cut(keeps), says('s', 'b'), says('u2', 'u1')];
		return decodeBytes(claudeCode, Buffer.from(lines.join('')));
	};
	const left = (keeps: boolean): readonly string[] => liveCuts(sessionOf(keeps), []).map((entry) => entry.id);
	expect(left(false)).toEqual(['u1', 'b', 's', 'u2']);
	expect(left(true)).toEqual(['u1', 's', 'u2']);
});
