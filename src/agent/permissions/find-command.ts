/** The arguments of `find`: where it begins, and what it is asked to do there. */
import { literalWord, type ShellWord } from './shell-words.ts';

export interface FindCall {
	readonly starts: readonly ShellWord[];
	readonly reads: readonly ShellWord[];
	readonly writes: readonly ShellWord[];
	/** What `-exec` and its like run. */
	readonly runs: readonly (readonly ShellWord[])[];
	/** It only looks, as far as all of it is known. */
	readonly looks: boolean;
}

const alone = new Set(
	'( ) ! , -a -o -not -and -or -daystart -depth -d -mount -xdev -noleaf -nouser -nogroup -empty -executable -readable -writable -true -false -print -print0 -ls -prune -quit -warn -nowarn -ignore_readdir_race -noignore_readdir_race'.split(
		' ',
	),
);
const withText =
	/^-(i?name|i?path|i?wholename|i?regex|regextype|x?type|size|[acm]time|[acm]min|perm|user|group|uid|gid|links|inum|maxdepth|mindepth|fstype|used|i?lname|printf|newer[aBcm]t)$/;
const withRead = /^-([ac]?newer|newer[aBcm][aBcm]|samefile)$/;
const withWrite = /^-(fprint|fprint0|fprintf|fls)$/;

export function readFind(given: readonly ShellWord[]): FindCall {
	const { starts, rest, known } = startPoints(given);
	const call = { starts, reads: [] as ShellWord[], writes: [] as ShellWord[], runs: [] as ShellWord[][], looks: known };
	for (let at = 0; at < rest.length; at++) {
		const value = rest[at]?.value ?? '';
		const next = rest[at + 1];
		if (alone.has(value)) continue;
		if (withText.test(value) || withRead.test(value)) {
			if (next && withRead.test(value)) call.reads.push(next);
			at++;
			continue;
		}
		call.looks = false;
		if (value === '-delete') call.writes.push(...starts);
		if (withWrite.test(value)) {
			if (next) call.writes.push(next);
			at++;
		}
		if (!/^-(exec|execdir|ok|okdir)$/.test(value)) continue;
		const end = rest.findIndex((word, index) => index > at && (word.value === ';' || word.value === '+'));
		call.runs.push(rest.slice(at + 1, end === -1 ? undefined : end));
		at = end === -1 ? rest.length : end;
	}
	return call;
}

/** Before the first test; options of `find` itself come first. */
function startPoints(given: readonly ShellWord[]): {
	readonly starts: readonly ShellWord[];
	readonly rest: readonly ShellWord[];
	readonly known: boolean;
} {
	let at = 0;
	let known = true;
	for (; /^-([HLPEXdsx]+|O\d*|D|-|f)$/.test(given[at]?.value ?? ''); at++) {
		const value = given[at]?.value ?? '';
		if (!/^-[HPE]$/.test(value)) known = false;
		if (value === '-D') at++;
	}
	const rest = given.slice(at);
	const end = rest.findIndex(({ value }) => value !== undefined && /^(-.|[(),!]$)/.test(value));
	const starts = rest.slice(0, end === -1 ? undefined : end);
	return { starts: starts.length > 0 ? starts : [literalWord('.')], rest: end === -1 ? [] : rest.slice(end), known };
}
