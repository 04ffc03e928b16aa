/** The body of a request as JSON. A run sends its whole conversation at every step, and only what is new is put into JSON. */

/** The JSON of messages that were sent. Messages are shared and never changed (see `wired`), or this would be out of date. */
const texts = new WeakMap<object, string>();

export function bodyText({ messages, ...rest }: { readonly messages: readonly object[] }): string {
	const around = JSON.stringify({ ...rest, messages: [] });
	const parts = [around.slice(0, -2)];
	for (const message of messages) {
		const text = texts.get(message) ?? JSON.stringify(message);
		texts.set(message, text);
		if (parts.length > 1) parts.push(',');
		parts.push(text);
	}
	parts.push(']}');
	return parts.join(''); // one text made at once: pieces that are joined twice would be held twice
}
