/** Rows: what the scanner's spans mean, equal to what JSON.parse and Date.parse make of the same lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldRow } from '../codecs/index.ts';
import { memorySource } from '../model/index.ts';
import { readRows } from './rows.ts';

const fields = ['text', 'number', 'date', 'deep.text'];

const rules = { fields, visitor: () => ({ visit: () => undefined }) };

function rowsOf(values: readonly object[]): readonly object[] {
	const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
	const rows: object[] = [];
	readRows(rules, memorySource(bytes), (row) => rows.push(told(row)));
	return rows;
}

function told(row: FieldRow): object {
	return { text: row.text(0), number: row.number(1), date: row.time(2), deep: row.text(3), line: row.line };
}

const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
const date = fc.oneof(
	fc.date({ noInvalidDate: true }).map((value) => value.toISOString()),
	fc
		.tuple(fc.constantFrom('0000', '0099', '1970', '2026', '9999'), two(13), two(32), two(25), two(61), two(61))
		.map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.123Z`),
	fc.constantFrom('2026-01-02', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.1234', 'yesterday', ''),
);

describe('a row', () => {
	it('has the texts, numbers and times of its line, whatever the line before had', () => {
		const line = fc.record(
			{
				text: fc.oneof(fc.constantFrom('a', 'b', 'claude'), fc.string({ unit: 'binary' })),
				number: fc.oneof(
					fc.nat(),
					fc.double({ noNaN: true, noDefaultInfinity: true }),
					fc.tuple(fc.nat(), fc.nat({ max: 14 })).map(([value, decimals]) => value / 10 ** decimals),
				),
				date,
				deep: fc.record({ text: fc.string() }),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				expect(rowsOf(lines)).toEqual(
					lines.map((value, index) => {
						const time = value.date === undefined ? Number.NaN : Date.parse(value.date);
						return {
							text: value.text,
							number: value.number === undefined ? undefined : value.number + 0,
							date: Number.isNaN(time) ? undefined : time,
							deep: value.deep?.text,
							line: index + 1,
						};
					}),
				);
			}),
			{ numRuns: 500 },
		);
	});

	it('leaves what only looks like a number to whoever parses its line', () => {
		const told = (json: string): unknown => {
			let number: unknown = 'no row';
			readRows(rules, memorySource(Buffer.from(`{"number":${json}}\n`)), (row) => {
				number = row.number(1);
			});
			return number;
		};
		expect(['0.5', '12.25', '-1.5', '1e3', '12345678.0123456789'].map(told)).toEqual([
			0.5,
			12.25,
			-1.5,
			1000,
			Number('12345678.0123456789'),
		]);
		expect(['true', '"1.5"', '1.2.3', '.', '1..2'].map(told)).toEqual(Array(5).fill(undefined));
	});
});
