/** Issues and rules: what is wrong with a session, where, and what each severity and profile means; and losses of conversions. */

/**
 * `error`: the client of that dialect refuses the file or loses messages, or the model's API would reject it.
 * `warning`: it deviates from the format's document, or something looks wrong and nothing is lost. `info`: worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/** `published` = what the format's document describes; `client` = what the real, current client writes and resumes. */
export type Profile = 'published' | 'client';

/** One thing that validation looks for. Ids are stable: scripts may rely on them. */
export interface Rule {
	readonly id: string;
	readonly severity: Severity;
	/** Absent: the rule holds in every profile. */
	readonly profile?: Profile;
	/** One sentence for the documentation: what must hold. */
	readonly about: string;
	/** Where the rule comes from: a section of the format's document, the real client, or the model's API. */
	readonly source: string;
}

export interface Issue {
	readonly rule: string;
	readonly severity: Severity;
	readonly profile?: Profile;
	/** From 1; 0 when the issue is about the file as a whole. */
	readonly line: number;
	/** Byte offset of the record. */
	readonly offset: number;
	/** Where in the record, as a JSON path such as `message.content[0].id`; empty for the whole record. */
	readonly path: string;
	readonly message: string;
	/** Index of the record; absent for the file as a whole. */
	readonly record?: number;
	/** How many more of the same were found and not listed. */
	readonly more?: number;
}

/** A part of a session that a conversion could not carry over as it was. */
export interface Loss {
	readonly entry: string;
	readonly path: string;
	readonly how: 'dropped' | 'approximated' | 'invented';
	readonly note: string;
	/** How many more of the same kind there were that are not listed. */
	readonly more?: number;
}
