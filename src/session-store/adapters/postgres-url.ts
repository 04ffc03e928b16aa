/** Reads the URL of a PostgreSQL database as its own programs do: the host may be the folder of a socket. */
import { InputError } from '../../store/errors.ts';

export interface PostgresAddress {
	/** The URL as the driver understands it. */
	readonly url: string;
	/** Host and database, and nothing that is a secret. */
	readonly shown: string;
	/** The same for every password: what was sent there is known by it. */
	readonly name: string;
}

const parts = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

const wrongPort = /:(?!\d*$)[^\]]*$/;

/** Throws an InputError for what is no such URL: the driver would fail on it later, or ask another server. */
export function postgresAddress(text: string): PostgresAddress {
	const found = parts.exec(text);
	if (!found || wrongPort.test(found[3] ?? '')) throw unreadable();
	const [, scheme = '', user, host = '', path = '', query = ''] = found;
	const options = new URLSearchParams(query);
	try {
		const place = options.get('host') ?? decodeURIComponent(host);
		const database = decodeURIComponent(path);
		// The driver would fail on it later, with the whole URL in its words.
		const [name = ''] = (user ?? '').split(':').map((part) => decodeURIComponent(part));
		options.delete('host');
		const socket = place.startsWith('/') ? place : undefined;
		const rest = options.size === 0 ? '' : `?${options}`;
		const at = user === undefined ? '' : `${user}@`;
		const shown = socket === undefined ? `postgres://${place}${database}` : `postgres:${database}?host=${socket}`;
		return {
			url: `${scheme}${at}${socket === undefined ? place : encodeURIComponent(socket)}${path}${rest}`,
			shown,
			name: `${name}@${shown}`,
		};
	} catch (error) {
		if (error instanceof URIError) throw unreadable();
		throw error;
	}
}

/** The text is not repeated: it may hold a password. */
function unreadable(): InputError {
	const wanted = 'a PostgreSQL database is postgres://USER:PASSWORD@HOST/DATABASE';
	return new InputError('destination', `the URL cannot be read: ${wanted}`);
}
