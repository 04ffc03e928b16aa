/** Decides which errors of a store end a mirror at once, because trying again is no use, and words each error in one line. */
import { LogError } from '../../log/errors.ts';
import { sqliteCode } from '../../log/load-sqlite.ts';

/** Errors of PostgreSQL that time does not heal: who we are, what we may do, and a database that does not exist. */
const refusals = /^(28|3D|3F|42)/;
const noDatabase = 26;

/** True where trying again later is no use. */
export function isRefusal(error: unknown): boolean {
	if (error instanceof LogError) return ['denied', 'read-only', 'not-a-file', 'link', 'outside'].includes(error.fault);
	const code = codeOf(error);
	return refusals.test(code) || code === 'EACCES' || code === 'EPERM' || sqliteCode(error) === noDatabase;
}

/** One line for people. The driver's own words never hold the password. */
export function faultText(error: unknown): string {
	if (!(error instanceof Error)) throw error;
	const code = codeOf(error);
	const known: { readonly [code: string]: string } = {
		ECONNREFUSED: 'nothing answers there (connection refused)',
		ENOENT: 'nothing answers there (no socket)',
		ENOTFOUND: 'there is no such host',
		EAI_AGAIN: 'the host’s name cannot be looked up',
		CONNECT_TIMEOUT: 'nothing answered in time',
		CONNECTION_CLOSED: 'the connection was closed',
		CONNECTION_DESTROYED: 'the connection was closed',
		ECONNRESET: 'the connection was closed',
	};
	return (known[code] ?? (error.message || code || error.name)).replace(/\s+/g, ' ');
}

function codeOf(error: unknown): string {
	if (error instanceof AggregateError && !('code' in error)) return codeOf(error.errors[0]);
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}
