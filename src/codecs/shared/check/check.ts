/** Checks a session in one pass: every line is parsed once and given to the format's validator. */
import type { Issue, Profile } from '../../../model/index.ts';
import type { Codec } from '../../codec.ts';
import type { Line } from '../read/line.ts';
import { collectIssues } from './issues.ts';

/** A validator for lines that somebody else reads. It keeps a hundred issues of each rule, unless told otherwise. */
export function lineChecks(codec: Codec, keptPerRule?: number) {
	const collected = collectIssues(codec.check.rules, keptPerRule);
	const validator = codec.check.validator(collected.report);
	return {
		visit(line: Line): void {
			if (line.part === 'gap') return;
			collected.visiting(line);
			validator.visit(line);
		},
		end(): readonly Issue[] {
			collected.visiting(undefined);
			validator.end();
			return collected.issues();
		},
	};
}

export function checkSession(codec: Codec) {
	const reader = codec.read.reader();
	const checks = lineChecks(codec);
	return {
		push: (bytes: Uint8Array): void => reader.push(bytes, checks.visit),
		end(): readonly Issue[] {
			reader.end(checks.visit);
			return checks.end();
		},
	};
}

/** What is wrong with a session in memory, by the rules of its codec. */
export function checkBytes(codec: Codec, bytes: Uint8Array): readonly Issue[] {
	const checking = checkSession(codec);
	checking.push(bytes);
	return checking.end();
}

/** The issues that matter in a profile: its own and those of no profile. */
export function issuesIn(profile: Profile | 'any', issues: readonly Issue[]): readonly Issue[] {
	if (profile === 'any') return issues;
	return issues.filter((issue) => issue.profile === undefined || issue.profile === profile);
}
