/** The gate: lines that it turns away are not read to their end, all others are read as without it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { memorySource } from '../model/index.ts';
import { createScanner, doubtFlags, planPaths, type ScannedLines, scanFlag, scanSource, valueBytes } from './index.ts';

const paths = ['type', 'uuid', 'message.id', 'message.usage'];
const values = ['assistant', 'result'];
const plain = planPaths(paths);
const gated = planPaths(paths, { path: 'type', values });
const lenient = planPaths(paths, { path: 'type', values, unless: '"usage"' });

interface Row {
	readonly at: number;
	readonly end: number;
	readonly flags: number;
	readonly values: readonly (string | undefined)[];
}

function rowsOf(bytes: Uint8Array, plan = gated, engine: 'js' | 'wasm' = 'js'): readonly Row[] {
	const rows: Row[] = [];
	scanSource(memorySource(bytes), createScanner(plan, { engine }), (lines) => {
		for (let row = 0; row < lines.count; row += 1) rows.push(rowOf(lines, row));
	});
	return rows;
}

function rowOf(lines: ScannedLines, row: number): Row {
	const text = (field: number) => {
		const bytes = valueBytes(lines, row, field);
		return bytes && Buffer.from(bytes).toString('latin1');
	};
	return {
		at: lines.at[row] as number,
		end: lines.end[row] as number,
		flags: lines.flags[row] as number,
		values: paths.map((_, field) => text(field)),
	};
}

const isSkipped = (row: Row): boolean => (row.flags & scanFlag.skipped) !== 0;

function expectLaw(bytes: Uint8Array, plan = gated): void {
	const open = rowsOf(bytes, plain);
	const rows = rowsOf(bytes, plan);
	expect(rowsOf(bytes, plan, 'wasm')).toEqual(rows);
	expect(rows.map(({ at, end }) => [at, end])).toEqual(open.map(({ at, end }) => [at, end]));
	for (const [index, row] of rows.entries()) {
		const whole = open[index];
		const type = row.values[0];
		if (isSkipped(row)) expect(values.map((value) => `"${value}"`)).not.toContain(type);
		else expect(row).toEqual(whole);
		// Where nothing is in doubt, a line is skipped exactly when its value is none of those wanted.
		if (whole && (whole.flags & doubtFlags) === 0 && whole.values[0] !== undefined) {
			const saved = plan === lenient && tailOf(bytes, whole).includes('"usage"');
			expect(isSkipped(row)).toBe(!values.includes(JSON.parse(whole.values[0]) as string) && !saved);
		}
	}
}

/** What stands behind the value of the gate. */
function tailOf(bytes: Uint8Array, { at, end, values: [type = ''] }: Row): string {
	const line = Buffer.from(bytes).toString('latin1', at, end);
	return line.slice(line.indexOf(`"type":${type}`) + type.length + 7);
}

describe('the gate', () => {
	it('turns away what it should and nothing else, in both engines', () => {
		const line = fc.record({
			before: fc.boolean(),
			key: fc.constantFrom('usage', 'usages', 'other'),
			type: fc.constantFrom('assistant', 'assistan', 'assistants', 'result', 'user', '', 5, null, {
				type: 'assistant',
			}),
			text: fc.oneof(fc.string(), fc.constantFrom('"usage"', 'x'.repeat(40))),
			torn: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(line), (made) => {
				const text = made.map(({ before, key, type, text: content, torn }) => {
					const message = { id: content, [key]: { a: content } };
					const json = JSON.stringify(before ? { type, uuid: 'u', message } : { uuid: 'u', message, type });
					return torn ? json.slice(0, json.length >> 1) : json;
				});
				for (const plan of [gated, lenient]) expectLaw(Buffer.from(text.join('\n')), plan);
			}),
		);
	});

	it('turns away what it should in files of real clients', () => {
		for (const file of corpusFiles('claude-code')) {
			for (const plan of [gated, lenient]) expectLaw(file.bytes(), plan);
		}
	});

	it('keeps what stands before it', () => {
		const [row] = rowsOf(Buffer.from('{"uuid":"u","type":"user","message":{"id":"m"}}\n'), gated, 'wasm');
		expect(row).toMatchObject({ flags: scanFlag.skipped, values: ['"user"', '"u"', undefined, undefined] });
	});

	it('must be one of the paths', () => {
		expect(() => planPaths(['a'], { path: 'b', values: [] })).toThrow(RangeError);
	});
});
