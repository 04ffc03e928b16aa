/** What can go wrong with a log: the kinds of failure, and the words and advice that users read for a full disk, a missing permission, a conflict or another writer. */

/** The kind of a failure of a log. */
export type LogFault =
	| 'conflict' // the log is not what the caller thinks
	| 'held' // somebody else is its writer
	| 'lost' // this writer's lease is gone
	| 'released' // this writer was released
	| 'unsynced' // the disk refused to make written bytes durable
	| 'missing'
	| 'full'
	| 'read-only'
	| 'denied'
	| 'link' // a symbolic link where none may be
	| 'not-a-file'
	| 'outside' // not below the folder it must be in
	| 'io';

/** A log could not be read or written; `fault` tells the kind of failure. */
export class LogError extends Error {
	override readonly name: string = 'LogError';
	readonly fault: LogFault;
	readonly key: string;
	/** Bytes of a failed append that could not be taken back. They were not acknowledged. */
	readonly left: { readonly at: number; readonly length: number } | undefined;
	constructor(
		fault: LogFault,
		key: string,
		message: string,
		more: { readonly cause?: unknown; readonly left?: { readonly at: number; readonly length: number } } = {},
	) {
		super(message, more.cause === undefined ? undefined : { cause: more.cause });
		this.fault = fault;
		this.key = key;
		this.left = more.left;
	}
}

/** The log changed under the writer. Nothing was acknowledged, and unless there are bytes `left`, nothing was written. */
export class LogConflict extends LogError {
	override readonly name = 'LogConflict';
	readonly expected: number;
	readonly actual: number;
	/** True when another log has the name now, or it was changed in place; the lengths may then be equal. */
	readonly replaced: boolean;
	constructor(key: string, expected: number, actual: number, replaced = false, left?: LogError['left']) {
		const how = replaced
			? `was replaced since it was read (${actual} bytes now, ${expected} expected)`
			: `is ${actual} bytes long, not ${expected} as expected`;
		const rest = left ? 'The file that was replaced may hold bytes that were not acknowledged' : 'Nothing was written';
		const message = `${key} ${how}: somebody else has written to it. ${rest}; read it again first.`;
		super('conflict', key, message, left ? { left } : {});
		this.expected = expected;
		this.actual = actual;
		this.replaced = replaced;
	}
}

/** Who holds a lease. */
export interface Holder {
	readonly pid: number;
	readonly host: string;
	/** The name of the process, without its arguments, which may hold a prompt. */
	readonly command: string;
	/** ISO time by the holder's clock, for people. */
	readonly since: string;
}

/** Thrown when somebody else is the writer. */
export class LogHeld extends LogError {
	override readonly name = 'LogHeld';
	/** Undefined when the holder has left no note. */
	readonly holder: Holder | undefined;
	constructor(key: string, holder: Holder | undefined) {
		const who = holder
			? `process ${holder.pid} (${holder.command}) on ${holder.host}, since ${holder.since}`
			: 'another process, which left no note of itself';
		super('held', key, `${key} is being written by ${who}. Let it finish or end it, then try again.`);
		this.holder = holder;
	}
}

const faults: { readonly [code: string]: readonly [LogFault, string] } = {
	ENOENT: ['missing', 'there is no such file'],
	ENOSPC: ['full', 'the disk is full; free some space and try again'],
	EDQUOT: ['full', 'the disk quota is used up; free some space and try again'],
	EFBIG: ['full', 'the file has reached the largest size allowed'],
	EROFS: [
		'read-only',
		'the disk is read-only; fork the session to another place to continue it, with REPRISE_HOME on a disk that can be written',
	],
	EACCES: ['denied', 'permission denied; check the owner and mode of the file and its folder'],
	EPERM: ['denied', 'the system does not permit it; check the owner, mode and attributes of the file and its folder'],
	ELOOP: ['link', 'there is a symbolic link in its place, and following it could write elsewhere; remove the link'],
	ENOTDIR: ['not-a-file', 'a part of its path is not a folder'],
	EISDIR: ['not-a-file', 'it is a folder'],
};

export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** True for the two errors by which the system says that there is no such file. */
export function isMissing(error: unknown): boolean {
	const code = codeOf(error);
	return code === 'ENOENT' || code === 'ENOTDIR';
}

/** A failed system call as a LogError; a LogError stays what it is. `doing` completes "cannot … KEY". */
export function asLogError(
	key: string,
	doing: string,
	error: unknown,
	left?: { readonly at: number; readonly length: number },
): LogError {
	if (error instanceof LogError) return error;
	const code = codeOf(error);
	const [fault, advice] = faults[code ?? ''] ?? ['io', error instanceof Error ? error.message : String(error)];
	const rest = left ? ` ${left.length} unacknowledged bytes at offset ${left.at} could not be taken back.` : '';
	const message = `cannot ${doing} ${key}: ${advice}${code === undefined ? '' : ` (${code})`}.${rest}`;
	return new LogError(fault, key, message, { cause: error, ...(left ? { left } : {}) });
}

/** Runs system calls and turns their failures into LogErrors. */
export function telling<T>(key: string, doing: string, run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw asLogError(key, doing, error);
	}
}

/** The error after a failed sync: the system may have dropped the bytes and will not say so again. */
export function unsynced(key: string, error: unknown): LogError {
	const { message } = asLogError(key, 'make durable what was written to', error);
	const advice = 'What was acknowledged as durable before is safe; check the disk, then open the log again.';
	return new LogError('unsynced', key, `${message} ${advice}`, { cause: error });
}
