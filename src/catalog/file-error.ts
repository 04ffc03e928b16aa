/** What goes wrong with a session file, and with nothing else. */

/** Of a session file, as opposed to a database: those have a number of their own. */
export function isFileError(error: unknown): error is Error & { readonly code: string } {
	return error instanceof Error && 'code' in error && !('errcode' in error);
}
