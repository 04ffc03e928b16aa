/** A process that ends itself with SIGKILL, at a given point of what it does to the disk. */
import { diskCalls, type FileCalls } from '../../src/log/calls.ts';
import { loadSqlite } from '../../src/log/load-sqlite.ts';

/** What any call but a write costs, in bytes. */
const costOfCall = 40;
const longWrite = 1_024;

function die(): never {
	process.kill(process.pid, 'SIGKILL');
	for (;;); // nothing may happen between the signal and the end
}

/**
 * From now on this process may do so much to files: a byte written costs one, any other change some. The write that it
 * cannot afford is done as far as it can, and that is the end. Every second long write is done in parts, as the system may
 * do it at any time.
 */
export function dieAfterBytes(budget: number): void {
	let left = budget;
	let writes = 0;
	const disk: FileCalls = { ...diskCalls };
	function counted<A extends readonly unknown[], R>(call: (...args: A) => R): (...args: A) => R {
		return (...args) => {
			left -= costOfCall;
			if (left < 0 && left >= -costOfCall / 2) die();
			const done = call(...args);
			if (left < 0) die();
			return done;
		};
	}
	const calls: Partial<FileCalls> = {
		write(file, from, at, length, position) {
			writes += 1;
			const wanted = length > longWrite && writes % 2 === 1 ? length >> 1 : length;
			if (wanted <= left) {
				const wrote = disk.write(file, from, at, wanted, position);
				left -= wrote;
				return wrote;
			}
			if (left > 0) disk.write(file, from, at, left, position);
			die();
		},
		open: counted(disk.open),
		close: counted(disk.close),
		mkdir: counted(disk.mkdir),
		link: counted(disk.link),
		rename: counted(disk.rename),
		unlink: counted(disk.unlink),
		truncate: counted(disk.truncate),
		sync: counted(disk.sync),
		syncData: counted(disk.syncData),
	};
	Object.assign(diskCalls, calls);
}

/** The same for databases: just before or just after the statement with this number. */
export function dieAtStatement(number: number, before: boolean): void {
	const { DatabaseSync, StatementSync } = loadSqlite();
	let done = 0;
	function counted<F extends (...args: never[]) => unknown>(call: F): F {
		return new Proxy(call, {
			apply(target, self, args): unknown {
				done += 1;
				if (done === number && before) die();
				const result: unknown = Reflect.apply(target, self, args);
				if (done === number) die();
				return result;
			},
		});
	}
	DatabaseSync.prototype.exec = counted(DatabaseSync.prototype.exec);
	StatementSync.prototype.run = counted(StatementSync.prototype.run);
}
