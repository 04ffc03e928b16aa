/** Loads Node's SQLite when it is needed, which most commands never do. */

type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/** Loads the module without the warning on stderr by which some Node versions call it experimental. */
export function loadSqlite(): Sqlite {
	if (loaded) return loaded;
	const emitWarning = process.emitWarning;
	process.emitWarning = () => undefined;
	try {
		loaded = process.getBuiltinModule('node:sqlite');
	} finally {
		process.emitWarning = emitWarning;
	}
	return loaded;
}

/** SQLite's primary error code, without the extended code in the higher bytes. */
export function sqliteCode(error: unknown): number | undefined {
	if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
	return error.errcode & 0xff;
}
