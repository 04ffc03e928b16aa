/** A machine of its own for every test of a file, made before it and gone after it. */
import { afterEach, beforeEach } from 'vitest';
import { discoverSessions, type FoundSession } from '../../src/store/find/discover.ts';
import { type Scratch, scratchMachine } from './scratch.ts';

export interface ScratchPerTest extends Omit<Scratch, keyof Disposable> {
	/** Copies the home of a recorded scenario into this one; the first session there. */
	session(scenario: string): FoundSession;
}

export function scratchPerTest(): ScratchPerTest {
	let now: Scratch | undefined;
	beforeEach(() => {
		now = scratchMachine();
	});
	afterEach(() => now?.[Symbol.dispose]());
	const current = (): Scratch => {
		if (!now) throw new Error('there is a scratch machine only while a test runs');
		return now;
	};
	return {
		get root() {
			return current().root;
		},
		get home() {
			return current().home;
		},
		get own() {
			return current().own;
		},
		get machine() {
			return current().machine;
		},
		load: (scenario) => current().load(scenario),
		folder: (name) => current().folder(name),
		session(scenario) {
			current().load(scenario);
			const [first] = [...discoverSessions(current().machine)];
			if (!first) throw new Error(`${scenario} has no session`);
			return first;
		},
	};
}
