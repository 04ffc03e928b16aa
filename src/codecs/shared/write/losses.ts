/** Notes the losses of writing a session in a format. */
import type { Loss } from '../../../model/index.ts';

export interface Losses {
	dropped(entry: string, path: string, note: string): void;
	approximated(entry: string, path: string, note: string): void;
	invented(entry: string, path: string, note: string): void;
}

/** Losses that go into the list `found`. */
export function noteLosses(found: Loss[]): Losses {
	const add =
		(how: Loss['how']) =>
		(entry: string, path: string, note: string): void => {
			found.push({ entry, path, how, note });
		};
	return {
		dropped: add('dropped'),
		approximated: add('approximated'),
		invented: add('invented'),
	};
}
