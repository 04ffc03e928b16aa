/** Rules as each format lists them. */
import type { FormatId, Profile, Rule, Severity } from '../../../model/index.ts';

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
