/** `transcript_mirror`: which lines of the session and its sub-agents a host is shown, when, and what happens when a file becomes shorter. */
import { closeSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '../../frames/frames.ts';
import { openRegular, readInto, readRegular } from '../../log/regular-file.ts';
import { isObject, type Json, parsedJson } from '../../model/index.ts';

const agentFile = /^agent-(.+)\.jsonl$/;

export class Mirror {
	readonly #send: (frame: Frame) => void;
	/** How much of each file was shown. */
	readonly #shown = new Map<string, number>();
	/** What was last shown of each agent's own notes, which are a file and not lines. */
	readonly #notes = new Map<string, string>();
	#path: string | undefined;

	constructor(send: (frame: Frame) => void) {
		this.#send = send;
	}

	/** The session that is written from now on. What is in its file already is shown only where that is a new copy. */
	follow(path: string, isCopy: boolean): void {
		this.flush();
		this.#path = path;
		if (isCopy) return;
		for (const file of [path, ...this.#agents(path)]) {
			this.#shown.set(file, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
			const notes = notesOf(file);
			if (existsSync(notes)) this.#notes.set(notes, readRegular(notes).toString('utf8'));
		}
	}

	/** Shows what was written since the last time. */
	flush(): void {
		const path = this.#path;
		if (path === undefined || !path.endsWith('.jsonl')) return;
		for (const file of [path, ...this.#agents(path)]) this.#show(file);
	}

	#agents(path: string): readonly string[] {
		const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
		if (!existsSync(folder)) return [];
		const names = readdirSync(folder).filter((name) => agentFile.test(name));
		return names.map((name) => join(folder, name));
	}

	#show(file: string): void {
		const entries = [...this.#newLines(file), ...(file === this.#path ? [] : this.#newNotes(file))];
		if (entries.length > 0) this.#send({ type: 'transcript_mirror', filePath: file, entries });
	}

	#newLines(file: string): readonly Json[] {
		if (!existsSync(file)) return [];
		const from = this.#shown.get(file) ?? 0;
		const bytes = bytesAfter(file, from);
		if (bytes === undefined) {
			// It was written anew and is shorter: what a mirror has is kept, and what follows is shown.
			this.#shown.set(file, statSync(file).size);
			return [];
		}
		const end = bytes.lastIndexOf(10) + 1;
		this.#shown.set(file, from + end);
		const lines = bytes.subarray(0, end).toString('utf8').split('\n');
		return lines.flatMap((line) => {
			const entry = line === '' ? undefined : parsedJson(line);
			// Requests as they were sent stay on this machine, as they do with Claude Code.
			return isObject(entry) && !String(entry.type).startsWith('api-request') ? [entry] : [];
		});
	}

	/** What a local agent has in a file of notes is an entry for a mirror. */
	#newNotes(file: string): readonly Json[] {
		const notes = notesOf(file);
		if (!existsSync(notes)) return [];
		const text = readRegular(notes).toString('utf8');
		if (this.#notes.get(notes) === text) return [];
		this.#notes.set(notes, text);
		const read = parsedJson(text);
		return isObject(read) ? [{ type: 'agent_metadata', ...read }] : [];
	}
}

function notesOf(file: string): string {
	return file.replace(/\.jsonl$/, '.meta.json');
}

/** Undefined where the file is shorter than that. */
function bytesAfter(path: string, from: number): Buffer | undefined {
	const { file, stat } = openRegular(path);
	try {
		const size = Number(stat.size);
		if (size < from) return undefined;
		const bytes = Buffer.alloc(size - from);
		return bytes.subarray(0, readInto(file, from, bytes));
	} finally {
		closeSync(file);
	}
}
