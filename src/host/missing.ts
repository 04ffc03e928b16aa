/** The two errors by which the system says that there is no such file. */

export function isMissing(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return code === 'ENOENT' || code === 'ENOTDIR';
}
