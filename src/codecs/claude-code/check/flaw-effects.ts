/** What a broken record means to Claude Code. */
import type { FlawEffects } from '../../codec.ts';

export const flawEffects: FlawEffects = {
	torn: {
		severity: 'error',
		effect:
			'Claude Code drops the unfinished line, so its message is lost; end the file with a newline before appending',
	},
	'not-json': {
		severity: 'warning',
		effect: 'Claude Code skips the line; if it held a message, that message is lost',
	},
	'not-utf8': {
		severity: 'warning',
		effect: 'Claude Code reads replacement characters in place of these bytes',
	},
	'not-object': {
		severity: 'warning',
		effect: 'Claude Code 2.1.29 and older refuse the file or stop reading here; 2.1.325 skips the line',
	},
	bom: { severity: 'warning', effect: 'Claude Code ignores it' },
	'too-long': { severity: 'error', effect: 'Claude Code cannot read the line, so its message is lost' },
};
