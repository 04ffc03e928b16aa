/** Rules as each format lists them, and what is said of a file that breaks one. */
import type { FormatId, Profile, Rule, Severity } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';

/** Makes the rules of a format. Without a profile a rule holds in all of them. */
export function rulesOf(format: FormatId) {
	return (id: string, severity: Severity, about: string, source: string, profile?: Profile): Rule => ({
		id: `${format}/${id}`,
		severity,
		about,
		source,
		...(profile ? { profile } : {}),
	});
}

/** What is said of rules that need no more words in one file than in another, and the field that it is about. */
export interface Sentences {
	readonly [rule: string]: readonly [message: string, path?: string];
}

/** Reports the rules of a format by their sentences. */
export function sayingOf<S extends Sentences>(format: FormatId, sentences: S) {
	return (report: Report, rule: keyof S & string, where: Parameters<Report>[2] = {}): void => {
		const [message, path = ''] = sentences[rule] as S[string];
		report(`${format}/${rule}`, message, { path, ...where });
	};
}
