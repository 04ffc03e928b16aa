/** What Cline does with a document that is damaged. It reads all of it or nothing. */
import type { FlawEffects } from '../../codec.ts';

const empty = 'Cline reads the whole file as an empty session and overwrites it at the next turn';

export const flawEffects: FlawEffects = {
	torn: { severity: 'error', effect: empty },
	'not-json': { severity: 'error', effect: empty },
	'not-utf8': {
		severity: 'warning',
		effect: 'Cline puts U+FFFD in their place and loses the bytes when it next saves',
	},
	'not-object': { severity: 'error', effect: 'Cline fails the next turn on it' },
	bom: { severity: 'warning', effect: 'Cline skips it and saves without it' },
	'too-long': { severity: 'error', effect: empty },
};
