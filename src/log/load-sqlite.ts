/** Node's SQLite, loaded when it is needed: most commands never do. */

type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/** Some Node versions announce the module as experimental on stderr; users of a command need not read that. */
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

/** SQLite's own number of an error, without what it adds in the higher bytes. */
export function sqliteCode(error: unknown): number | undefined {
	if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
	return error.errcode & 0xff;
}
