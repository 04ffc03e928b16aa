/** A fetch that fails with everything a server said, for SDKs that keep only a part of it. */
import { HttpError } from './failures.ts';

/** Ends with `signal`, also where an SDK has no place for one. */
export function fetchUntil(signal: AbortSignal): typeof fetch {
	return async (input, init) => {
		const response = await fetch(input, { ...init, signal });
		if (!response.ok) throw new HttpError(response.status, await response.text(), response.headers);
		return response;
	};
}
