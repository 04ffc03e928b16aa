/** Reads records as rows of a few fields: scanned where the scanner is sure, parsed where it is not. */
import { FieldRow, type UsageRules } from '../codecs/shared/places/usage.ts';
import { documentReader } from '../codecs/shared/read/document-reader.ts';
import type { Line } from '../codecs/shared/read/line.ts';
import { parseRecord } from '../codecs/shared/read/parse.ts';
import { reusedPieces, type Source } from '../model/index.ts';
import { FieldFinder, scanLines } from '../scan/index.ts';

type VisitRow = (row: FieldRow) => void;

/** Visits the lines that hold a JSON object; returns the offset behind the last line that ended with a newline. */
export function readRows({ fields, gate, elements }: UsageRules, source: Source, visit: VisitRow, from = 0): number {
	if (elements !== undefined) return readElements(elements, fields, source, visit);
	const finder = new FieldFinder(fields, gate);
	const found = (field: number) => finder.value(field);
	return scanLines(
		source,
		(line) => {
			if (finder.look(line) !== 'unsure') visit(new FieldRow(line, fields, found));
			else {
				const { value } = parseRecord(line.bytes(), line.at === 0);
				if (value) visit(FieldRow.of(value, line, fields));
			}
		},
		{ from },
	);
}

/** Visits the elements of a document, numbered from 1. It is always read from its beginning. */
function readElements(key: string, fields: readonly string[], source: Source, visit: VisitRow): number {
	const reader = documentReader(key);
	let number = 0;
	const take = ({ part, value, at, bytes }: Line): void => {
		if (part !== 'item') return;
		number += 1;
		if (value) visit(FieldRow.of(value, { at, line: number, ended: true, bytes: () => bytes }, fields));
	};
	for (const piece of reusedPieces(source)) reader.push(piece, take);
	reader.end(take);
	return 0;
}
