/** The `fetch` that all SDKs are given: its errors carry a server's whole answer, and a web page is not taken for an API's. */
import { HttpError, WebPage } from './failures.ts';

/** A fetch that ends with `signal`, for SDKs that take no signal. `heard` gets the headers of an answer, which they keep to themselves. */
export function fetchUntil(signal: AbortSignal, heard?: (headers: Headers) => void): typeof fetch {
	return async (input, init) => {
		const response = await fetchApi(input, { ...init, signal });
		if (!response.ok) throw new HttpError(response.status, await response.text(), response.headers);
		heard?.(response.headers);
		return response;
	};
}

/**
 * A fetch that refuses a web page as an answer: the sign-in of a network, or a wrong address. SDKs would take it for a reply that broke
 * off, and Ollama's prints it to the terminal.
 */
export const fetchApi: typeof fetch = async (input, init) => {
	const response = await fetch(input, init);
	const type = response.headers.get('content-type') ?? '';
	// An event stream is never a page, and is the one kind whose every piece counts: it is passed on untouched.
	if (!response.ok || response.body === null || /^text\/event-stream/i.test(type)) return response;
	if (!/^(text\/html|application\/xhtml)/i.test(type)) return await unlessPage(response, response.body);
	await response.body.cancel();
	throw new WebPage();
};

/** The same answer, after a look at how it begins: no API's document begins with a tag, whatever it is said to be. */
async function unlessPage(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
	const pieces = body.getReader();
	let first: Awaited<ReturnType<typeof pieces.read>> | undefined = await pieces.read();
	if (/^\s*</.test(new TextDecoder().decode(first.value?.subarray(0, 64)))) {
		await pieces.cancel();
		throw new WebPage();
	}
	const whole = new ReadableStream<Uint8Array>({
		async pull(into) {
			const { done, value } = first ?? (await pieces.read());
			first = undefined;
			if (done) into.close();
			else into.enqueue(value);
		},
		cancel: (reason) => pieces.cancel(reason),
	});
	return new Response(whole, response);
}
