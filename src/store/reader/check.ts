/** What is wrong with a session file: the answer to `reprise check`. */
import { type Codec, checkSession, issuesIn } from '../../codecs/index.ts';
import { type Issue, type Profile, reusedPieces } from '../../model/index.ts';
import { linkedFiles } from '../find/session-files.ts';
import { identify } from './identify.ts';
import type { NotASession } from './open-source.ts';

export interface CheckResult {
	readonly format: string | null;
	readonly dialect: string | null;
	/** False when an error is present. */
	readonly ok: boolean;
	readonly issues: readonly Issue[];
}

/** What is wrong with a file, read piece by piece. "This is no session" is an answer too, not an exception. */
export function checkFile(path: string, profile: Profile | 'any' = 'any'): CheckResult {
	const found = identify(path);
	if (!found.ok) {
		return { format: null, dialect: null, ok: false, issues: [unknownFormat(found)] };
	}
	using source = found.source;
	const checking = checkSession(found.codec);
	for (const piece of reusedPieces(source)) checking.push(piece);
	const issues = [...linkIssues(found.codec, path), ...issuesIn(profile, checking.end())];
	return {
		format: found.codec.id,
		dialect: found.dialect,
		ok: !issues.some((issue) => issue.severity === 'error'),
		issues,
	};
}

/** Warnings about links that a client would follow and Reprise does not. */
function linkIssues(codec: Codec, path: string): readonly Issue[] {
	return linkedFiles(codec, path).map((file) => {
		const message = `${file.path} is a link or not a regular file: it is not read`;
		return { rule: 'linked-file', severity: 'warning', line: 0, offset: 0, path: '', message };
	});
}

/** The issue for anything that is no session: its message tells what it is instead. Of a file that may not be read nobody knows. */
export function unknownFormat(found: NotASession): Issue {
	const rule = found.rule === 'unreadable' ? found.rule : 'unknown-format';
	return { rule, severity: 'error', line: 0, offset: 0, path: '', message: found.message };
}
