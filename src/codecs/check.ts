/** Validation in one pass: every line is parsed once and looked at by the format's validator. */
import type { Issue, Profile } from '../model/index.ts';
import type { Codec } from './codec.ts';
import { collectIssues } from './issues.ts';
import type { Line } from './line.ts';

export interface Checking {
	push(bytes: Uint8Array): void;
	end(): readonly Issue[];
}

export function checkSession(codec: Codec): Checking {
	const reader = codec.reader();
	const collected = collectIssues(codec.rules);
	const validator = codec.validator(collected.report);
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
			reader.release?.();
			return collected.issues();
		},
	};
}

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
