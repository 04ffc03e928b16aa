/** Checks tool calls and results: each call is answered once, each result answers an earlier call. */
import type { Position } from '../read/line.ts';

export interface PairProblems {
	/** Called for a call whose result never comes. */
	unanswered(id: string, at: Position, path: string): void;
	/** Called for a result without an earlier call. */
	orphan(id: string, at: Position, path: string): void;
	/** Called for a second result of the same call. */
	repeatedResult(id: string, at: Position, path: string): void;
	/** Called for a second call with the same id. */
	repeatedCall(id: string, at: Position, path: string): void;
}

export function pairs(problems: PairProblems) {
	const open = new Map<string, { readonly at: Position; readonly path: string }>();
	const answered = new Set<string>();
	return {
		call(id: string, at: Position, path: string): void {
			if (open.has(id) || answered.has(id)) problems.repeatedCall(id, at, path);
			answered.delete(id);
			open.set(id, { at: { index: at.index, at: at.at, line: at.line }, path });
		},
		result(id: string, at: Position, path: string): void {
			if (open.delete(id)) answered.add(id);
			else if (answered.has(id)) problems.repeatedResult(id, at, path);
			else problems.orphan(id, at, path);
		},
		end(): void {
			for (const [id, { at, path }] of open) problems.unanswered(id, at, path);
		},
	};
}
