/** The rules about flaws of records, which all formats share; the effect on each client differs. */
import type { FormatId, Rule } from '../../../model/index.ts';
import type { FlawEffects, Report } from '../../codec.ts';
import type { Flaw, Line } from '../read/line.ts';
import { rulesOf } from './rules.ts';

const about: { readonly [F in Flaw]: string } = {
	torn: 'The file ends in the middle of a record.',
	'not-json': 'Every record is JSON.',
	'not-utf8': 'Text is UTF-8.',
	'not-object': 'Every record is a JSON object.',
	bom: 'A file starts without a byte order mark.',
	'too-long': 'A record fits into a string of the JavaScript runtime (about 512 MB).',
};

const says: { readonly [F in Flaw]: string } = {
	torn: 'the file ends in the middle of this record',
	'not-json': 'this record is not JSON',
	'not-utf8': 'this record has bytes that are not UTF-8',
	'not-object': 'this record is JSON but not an object',
	bom: 'the file starts with a byte order mark',
	'too-long': 'this record is too long to be parsed',
};

export function flawRule(format: FormatId, flaw: Flaw): string {
	return `${format}/${flaw}`;
}

export function flawRules(format: FormatId, effects: FlawEffects): readonly Rule[] {
	return (Object.keys(about) as Flaw[]).map((flaw) => {
		const { severity, effect } = effects[flaw];
		return rulesOf(format)(flaw, severity, `${about[flaw]} The client: ${effect}.`, 'client');
	});
}

export function reportFlaws(format: FormatId, effects: FlawEffects, line: Line, report: Report): void {
	for (const flaw of line.flaws) {
		report(flawRule(format, flaw), `${says[flaw]} (${effects[flaw].effect})`, { at: line });
	}
}
