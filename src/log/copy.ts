/** A new file that begins like another: with the same blocks where the file system can share them, else copied. */
import { constants } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { type FileCalls, newFile, noFollow } from './calls.ts';
import { LogError } from './errors.ts';

/** The first `size` bytes of a file, which may grow meanwhile. */
export interface Beginning {
	readonly path: string;
	readonly size: number;
}

const { O_WRONLY, O_RDONLY, O_APPEND } = constants;

/** The new file, open for what comes after that. */
export async function openCopy(calls: FileCalls, from: Beginning, to: string): Promise<number> {
	const isShared = await calls.clone(from.path, to);
	if (isShared) calls.chmod(to, 0o600);
	const file = isShared ? calls.open(to, O_WRONLY | O_APPEND | noFollow) : calls.open(to, newFile, 0o600);
	try {
		if (!isShared) await copy(calls, from, file);
		const made = calls.fstat(file).size;
		if (made < from.size)
			throw new LogError('io', from.path, `${from.path} became shorter while it was copied: try again`);
		if (made > from.size) calls.truncate(file, from.size);
		return file;
	} catch (error) {
		calls.close(file);
		throw error;
	}
}

const roomSize = 1 << 20;
const pace = 1 << 23;

async function copy(calls: FileCalls, { path, size }: Beginning, file: number): Promise<void> {
	const room = Buffer.allocUnsafeSlow(roomSize);
	const source = calls.open(path, O_RDONLY);
	try {
		for (let at = 0, next = pace; at < size; ) {
			const read = calls.read(source, room, 0, Math.min(roomSize, size - at), at);
			if (read === 0) return;
			for (let done = 0; done < read; ) done += calls.write(file, room, done, read - done);
			at += read;
			if (at < next) continue;
			next = at + pace;
			await breathe();
		}
	} finally {
		calls.close(source);
	}
}
