/** Tells errors of session files from all others. */

/** True for an error of the file system; errors of a database have a number instead of a code name. */
export function isFileError(error: unknown): error is Error & { readonly code: string } {
	return error instanceof Error && 'code' in error && !('errcode' in error);
}
