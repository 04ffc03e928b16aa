/** Validation in one pass: every line is parsed once and looked at by the format's validator. */
import type { Issue, Profile } from '../../../model/index.ts';
import type { Codec } from '../../codec.ts';
import type { Line } from '../read/line.ts';
import { collectIssues } from './issues.ts';

export interface Checking {
	push(bytes: Uint8Array): void;
	end(): readonly Issue[];
}

export function checkSession(codec: Codec): Checking {
	const reader = codec.read.reader();
	const collected = collectIssues(codec.check.rules);
	const validator = codec.check.validator(collected.report);
	const visit = (line: Line): void => {
		if (line.part === 'gap') return;
		collected.visiting(line);
		validator.visit(line);
	};
	return {
		push: (bytes) => reader.push(bytes, visit),
		end() {
			reader.end(visit);
			collected.visiting(undefined);
			validator.end();
			return collected.issues();
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
