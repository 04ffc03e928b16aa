/** Reads all of a session with side files and sub-agents as one value: up to which size its bytes stay in memory, and how much of a side file is read. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Codec, readSession, type SideFile, sessionBuilder, sideHeaders } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { readRegular } from '../../log/regular-file.ts';
import {
	type Header,
	isObject,
	type JsonObject,
	memorySource,
	reusedPieces,
	type Session,
	type Source,
	type Subagent,
} from '../../model/index.ts';
import type { NamedSource } from './open-source.ts';

export interface OpenOptions {
	/** Read sub-agents' files too. Default true. */
	readonly subagents?: boolean;
}

/** The session of a main file with its side files. */
export function wholeSession(
	codec: Codec,
	source: NamedSource,
	side: readonly SideFile[],
	options: OpenOptions,
): Session {
	const subagents = options.subagents === false ? [] : openSubagents(codec, side);
	const session = linkCalls(codec, { ...decodeSource(codec, source), subagents });
	return { ...session, header: withSideHeaders(codec, side, session.header) };
}

/** Decodes a whole source. The session opens the path again for its bytes after `source` is closed. */
function decodeSource(codec: Codec, source: NamedSource): Session {
	const reading = readSession(codec);
	const inMemory = staysInMemory(source) ? memorySource(source.read(0, source.size)) : undefined;
	const builder = sessionBuilder(codec, inMemory ?? reopened(source), fallbackId(codec, source));
	for (const piece of reusedPieces(inMemory ?? source)) builder.add(reading.push(piece));
	builder.add(reading.end());
	return builder.build(reading.issues());
}

/** The id for a session whose file does not state one. */
export function fallbackId(codec: Codec, source: NamedSource): string {
	return codec.places.idOf?.(source.path) ?? stemOf(source.path);
}

const keptInMemory = 1 << 22;

/** True for bytes that stay in memory. A session may live long and holds no file open: larger files are reopened. */
function staysInMemory(source: NamedSource): boolean {
	return source.size <= keptInMemory || !existsSync(source.path);
}

/** A source that opens its file for each reading and closes it again. */
export function reopened({ path, size }: NamedSource): Source {
	return {
		size,
		read(at, length) {
			using file = openFile(path);
			return file.read(at, Math.min(length, size - at));
		},
		readInto(at, target) {
			using file = openFile(path);
			return file.readInto?.(at, target.subarray(0, Math.max(0, size - at))) ?? 0;
		},
	};
}

/** The header of a session, completed from its side files. */
export function withSideHeaders(codec: Codec, side: readonly SideFile[], main: Header): Header {
	return sideHeaders(codec, () => side, main, bytesOf);
}

function bytesOf(path: string): Uint8Array {
	using source = openFile(path);
	return source.read(0, Math.min(source.size, longestSideFile));
}

/** Larger side files are not read; a list of thousands of sessions is smaller. */
const longestSideFile = 1 << 24;

function openSubagents(codec: Codec, side: readonly SideFile[]): readonly Subagent[] {
	return side
		.filter((file) => file.role === 'subagent')
		.map((file) => {
			using source = openFile(file.path);
			const session = decodeSource(codec, source);
			const meta = subagentMeta(side, file);
			const id = file.id ?? session.header.agent ?? stemOf(file.path);
			return { id, path: file.path, session, ...(meta ? { meta } : {}) };
		});
}

/** What the client noted about a sub-agent beside its file. */
export function subagentMeta(side: readonly SideFile[], file: SideFile): JsonObject | undefined {
	const meta = side.find((other) => other.role === 'subagent-meta' && other.id === file.id);
	if (!meta) return undefined;
	try {
		const value: unknown = JSON.parse(readRegular(meta.path).toString('utf8'));
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined; // a damaged note is no reason to refuse the session
		throw error;
	}
}

/** Adds the tool call that started each sub-agent, where the format tells: one of the session, or of another sub-agent. */
function linkCalls(codec: Codec, session: Session): Session {
	if (session.subagents.length === 0 || !codec.read.subagentCalls) return session;
	const calls = new Map(codec.read.subagentCalls(session));
	for (const { id: by, session: own } of session.subagents) {
		const unlinked = session.subagents.filter(({ id }) => id !== by && !calls.has(id));
		if (unlinked.length === 0) break;
		for (const [id, call] of codec.read.subagentCalls({ ...own, subagents: unlinked })) calls.set(id, call);
	}
	const subagents = session.subagents.map((subagent) => {
		const call = calls.get(subagent.id);
		return call === undefined ? subagent : { ...subagent, call };
	});
	return { ...session, subagents };
}

/** A file's name without the ending that all session files of its format have. */
export function stemOf(path: string): string {
	return basename(path).replace(/(\.messages)?\.jsonl?$/, '');
}
