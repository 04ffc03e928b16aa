/** Why an address cannot be reached, in words for people: the wording for each error code of the network. */

const words: { readonly [code: string]: string } = {
	ENOTFOUND: 'its name is not known',
	EAI_AGAIN: 'its name cannot be looked up now',
	ECONNREFUSED: 'it refuses the connection',
	ECONNRESET: 'the connection was broken off',
	ETIMEDOUT: 'it does not answer in time',
	UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
	EHOSTUNREACH: 'no way leads to it',
	ENETUNREACH: 'no way leads to it',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody who is trusted',
};

/** What an error code of the network means. The code stays beside the words, for whoever looks it up. */
export function troubleText(code: string): string {
	const said = Object.hasOwn(words, code) ? words[code] : undefined;
	return said === undefined ? code : `${said}, ${code}`;
}

/** Why a request could not be sent, in words. The runtime says only "fetch failed" and has a code among the causes; undefined for other errors. */
export function fetchTrouble(error: unknown): string | undefined {
	if (!(error instanceof TypeError) || error.message !== 'fetch failed') return undefined;
	let at: unknown = error.cause;
	while (at instanceof Error) {
		if ('code' in at && typeof at.code === 'string') return troubleText(at.code);
		const inner: unknown = at instanceof AggregateError ? at.errors[0] : at.cause;
		if (!(inner instanceof Error)) return at.message;
		at = inner;
	}
	return undefined;
}
