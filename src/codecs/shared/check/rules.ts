/** Rules as formats list them, and the sentences about files that break them. */
import type { FormatId, Profile, Rule, Severity } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';

/** Makes the rules of a format. A rule without a profile holds in all profiles. */
export function rulesOf(format: FormatId) {
	return (id: string, severity: Severity, about: string, source: string, profile?: Profile): Rule => ({
		id: `${format}/${id}`,
		severity,
		about,
		source,
		...(profile ? { profile } : {}),
	});
}

/** The fixed sentence for each rule, and the field that it is about. */
export interface Sentences {
	readonly [rule: string]: readonly [message: string, path?: string];
}

/** Reports broken rules of a format with their sentences. */
export function sayingOf<S extends Sentences>(format: FormatId, sentences: S) {
	return (report: Report, rule: keyof S & string, where: Parameters<Report>[2] = {}): void => {
		const [message, path = ''] = sentences[rule] as S[string];
		report(`${format}/${rule}`, message, { path, ...where });
	};
}
