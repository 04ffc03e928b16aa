/** Which line Claude Code 2.1.325 goes on from: `last-prompt` pointers, what was taken back, compactions. Context, handles, repair and checks all ask here. */
import type { Json } from '../../../model/index.ts';
import type { Lines } from './lines.ts';
import type { Links } from './path-2-1-325.ts';

export interface Leaf {
	/** The line that the next one has to follow, so that the client goes on after it and sends everything before. */
	readonly line: number;
	/** The last message up to there; the line itself where there is none. */
	readonly message: number;
	/** Set when the pointer names a sub-agent's line: the client refuses the file until another pointer is written. */
	readonly refused?: true;
}

/** `nothing`: all was taken back. Undefined: the conversation could go on from no line. */
export function leafIn(lines: Lines, links: Links): Leaf | 'nothing' | undefined {
	const last = lastLeaf(lines, links);
	const pointer = pointerIn(lines);
	if (pointer === undefined) return last ?? lastNote(lines);
	const takenBack = pointer.explicitAt !== undefined && (last === undefined || last.end < pointer.explicitAt);
	if (pointer.target === null) return takenBack && !goesOn(lines, pointer.explicitAt) ? 'nothing' : last;
	const target = links.find(pointer.target);
	const said = target === undefined ? undefined : links.messageAbove(target);
	// A pointer to a line above which nothing was said, such as a boundary, is ignored.
	if (target === undefined || said === undefined) return last ?? lastNote(lines);
	if (!takenBack && last && links.isBelow(last.line, said)) return last;
	// Notes below the target belong to it, and the client's own next line follows the last of them.
	const there = leafAt(lines, links, links.notesBelow([target], new Set(), false).get(target)?.at(-1) ?? target);
	return last && lines.isSidechain(there.message) ? { ...last, refused: true } : there;
}

/** True where any line of the graph follows: the client then forgets that all was taken back, even if nothing is said in it. */
function goesOn(lines: Lines, after: number): boolean {
	for (let line = after + 1; line < lines.end; line += 1) {
		if (lines.isGraph(line) && !lines.isSidechain(line) && lines.counts(line)) return true;
	}
	return false;
}

export interface LastLeaf extends Leaf {
	/** The last line of the file that leads to a message. */
	readonly end: number;
}

/** Where the conversation would go on without a pointer. */
export function lastLeaf(lines: Lines, links: Links): LastLeaf | undefined {
	let end: number | undefined;
	for (let line = lines.end - 1; line >= 0; line -= 1) {
		if (!lines.isGraph(line) || lines.isSidechain(line) || links.isGone(line) || !lines.counts(line)) continue;
		const message = links.messageAbove(line);
		if (message === undefined) continue;
		end ??= line;
		// Behind a compaction that kept messages, a note on what was answered makes no branch: the client passes over it.
		if (links.kept && line !== message && links.isAnswered(message)) continue;
		return { end, message: links.afterKept(line) ?? message, line: behindCut(lines, links, line) ? message : line };
	}
	return undefined;
}

/** The leaf as if the conversation ended with a line. */
export function leafAt(lines: Lines, links: Links, line: number): Leaf {
	const message = links.messageAbove(line) ?? line;
	return { line: behindCut(lines, links, line) ? message : line, message };
}

/** True behind a boundary without a summary: a line that followed it would lose everything before it. */
function behindCut(lines: Lines, links: Links, line: number): boolean {
	for (const one of links.up(line)) {
		if (lines.isMessage(one)) return false;
		if (lines.isBoundary(one)) return true;
	}
	return false;
}

/** The last note, which is the conversation in a file without any message. */
function lastNote(lines: Lines): Leaf | undefined {
	for (let line = lines.end - 1; line >= 0; line -= 1) {
		if (lines.type(line) === 'system' && !lines.isSidechain(line)) return { line, message: line };
	}
	return undefined;
}

interface Pointer {
	/** The uuid of the target; `null`: everything was taken back. */
	readonly target: Json;
	/** The line that took back what was below the target at that time. */
	readonly explicitAt?: number;
}

/** The last pointer behind the last boundary. One that repeats a target keeps what the first said about it. */
function pointerIn(lines: Lines): Pointer | undefined {
	let target: Json | undefined;
	for (let line = lines.end - 1; line >= 0; line -= 1) {
		if (lines.isBoundary(line)) return target === undefined ? undefined : { target };
		if (lines.type(line) !== 'last-prompt') continue;
		const named = lines.index.field(line, 'leafUuid');
		const explicit = lines.index.field(line, 'explicit') === true;
		if (named === undefined || (named === null && !explicit)) continue;
		if (target !== undefined && named !== target) break;
		target = named;
		if (explicit) return { target, explicitAt: line };
	}
	if (target === undefined) lines.miss();
	return target === undefined ? undefined : { target };
}
