/** What pi and OpenClaw do with a line that cannot be read. */
import type { FlawEffects, Report } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import type { Line } from '../../shared/read/line.ts';

export const flawEffects: FlawEffects = {
	torn: {
		severity: 'error',
		effect:
			'the client skips it; pi before 0.84.4 also loses the next line, which it writes onto the end of this one. Finish or remove the line',
	},
	'not-json': { severity: 'error', effect: 'the client skips it without a word, so what it held is lost' },
	'not-utf8': { severity: 'warning', effect: 'the client reads such bytes as replacement characters' },
	'not-object': {
		severity: 'error',
		effect:
			'pi takes it for an entry without id: as the last line it hides the whole conversation, and a file of version 1 fails to load. Remove the line',
	},
	bom: { severity: 'error', effect: 'the client cannot read the first line, so it refuses the file. Remove the mark' },
	'too-long': { severity: 'error', effect: 'the client cannot load the file' },
};

/** `null`, `false`, `0` and `""` are no entries to pi, so unlike other values they do no harm. */
export function reportLine(line: Line, report: Report): void {
	if (line.flaws.length === 0) return;
	const harmless = line.value === undefined && line.other !== undefined && !line.other;
	if (!harmless) {
		reportFlaws('openclaw', flawEffects, line, report);
		return;
	}
	reportFlaws('openclaw', flawEffects, { ...line, flaws: line.flaws.filter((flaw) => flaw !== 'not-object') }, report);
	report('openclaw/empty-value', 'this line holds no object but an empty value: the client skips it', { at: line });
}
