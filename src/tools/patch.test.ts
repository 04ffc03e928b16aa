/** Differences of large texts are those of small ones, only sooner. */
import { structuredPatch } from 'diff';
import { expect, it } from 'vitest';
import { patchOf } from './patch.ts';

const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}, neither long nor short`);
const whole = `${lines.join('\n')}\n`;
const changed = (...changes: readonly (readonly [number, string])[]): string => {
	const other = [...lines];
	for (const [at, text] of changes) other[at] = text;
	return `${other.join('\n')}\n`;
};

it.each<[string, string, string]>([
	['the first line', whole, changed([0, 'other'])],
	['the second line', whole, changed([1, 'other'])],
	['the last line', whole, changed([19_999, 'other'])],
	['a line in the middle', whole, changed([9_999, 'line 9999, neither long nor shorter'])],
	['two lines that are far apart', whole, changed([5, 'other'], [15_000, 'another'])],
	['lines that are gone', whole, whole.replace(/line 700\d,.*\n/g, '')],
	['lines that are new', whole, whole.replace('line 5000,', 'one\ntwo\nline 5000,')],
	['a line twice', whole, whole.replace(/(line 5000,.*\n)/, '$1$1')],
	['no newline at the end', whole, whole.slice(0, -1)],
	['a newline at the end', whole.slice(0, -1), whole],
	['something at the end', whole, `${whole}more`],
	['nothing', whole, whole],
	['everything', whole, 'other\n'],
	['all of one line', 'x'.repeat(300_000), `${'x'.repeat(150_000)}y${'x'.repeat(150_000)}`],
])('%s', async (_, before, after) => {
	const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
	expect(await patchOf(before, after)).toEqual(JSON.parse(JSON.stringify(hunks)));
});

it.each<[string, string, string, string]>([
	['the first line', whole, 'line 0,', 'other,'],
	['the last line', whole, 'line 19999,', 'other,'],
	['a line that is gone', whole, `${lines[700]}\n`, ''],
	['lines that are new', whole, `${lines[700]}\n`, `${lines[700]}\none\ntwo\n`],
	[
		'lines that stay around one that changes',
		whole,
		lines.slice(700, 720).join('\n'),
		lines.slice(701, 720).join('\n'),
	],
	['the end of a line', whole, 'short\nline 9000,', 'short, line 9000,'],
])('where it is known what differs: %s', async (_, before, old, text) => {
	const after = before.replace(old, text);
	const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
	const change = { at: before.indexOf(old), length: old.length, text };
	expect(await patchOf(before, after, change)).toEqual(JSON.parse(JSON.stringify(hunks)));
});
