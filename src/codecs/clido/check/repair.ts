/** The order in which the problems of a Clido file are mended, and which are hopeless. Its reader takes all lines or none, so most are about single lines. */
import type { Repair } from '../../shared/check/repair.ts';
import { flawRemedy } from '../../shared/check/repair-flaws.ts';
import { claims } from '../lines.ts';
import { blockRemedy, thinkingRemedy } from './repair-blocks.ts';
import { lateRemedy, metaRemedy, openCallRemedy, repeatedCallRemedy, resultRemedy } from './repair-calls.ts';
import { duplicateKeyRemedy, emptyRemedy, fieldRemedy, textRemedy, typeRemedy } from './repair-lines.ts';

export const repair: Repair = {
	remedies: [
		flawRemedy({
			format: 'clido',
			flaws: ['torn', 'not-json', 'not-object', 'bom', 'not-utf8'],
			accepts: (value) => claims(value) !== undefined,
		}),
		typeRemedy,
		duplicateKeyRemedy,
		textRemedy,
		fieldRemedy,
		blockRemedy,
		thinkingRemedy,
		emptyRemedy,
		metaRemedy,
		repeatedCallRemedy,
		resultRemedy,
		lateRemedy,
		openCallRemedy,
	],
	hopeless: {
		'clido/schema-version':
			'the file is not damaged: a newer Clido wrote it, and only that knows what its lines mean; update Clido',
	},
};
