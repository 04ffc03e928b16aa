/** A `fetch` whose errors carry the server's whole answer, for SDKs that keep only a part of it. */
import { HttpError } from './failures.ts';

/** A fetch that ends with `signal`, for SDKs that take no signal. */
export function fetchUntil(signal: AbortSignal): typeof fetch {
	return async (input, init) => {
		const response = await fetch(input, { ...init, signal });
		if (!response.ok) throw new HttpError(response.status, await response.text(), response.headers);
		return response;
	};
}
