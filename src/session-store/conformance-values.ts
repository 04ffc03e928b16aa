/** What careless stores change: entries, lines and names for the conformance kit. */
import type { SessionStoreEntry } from './contract.ts';

/** Fresh each time: a store that keeps what it is given must not make the next check pass. */
export function awkwardEntries(): SessionStoreEntry[] {
	let deep: unknown = 1;
	for (let depth = 0; depth < 200; depth += 1) deep = [deep];
	return [
		{ type: 'user', uuid: 'keys', z: 1, a: 2, 10: 'ten', 9: 'nine', nested: { y: 1, b: [{ d: 1, c: 2 }] } },
		{
			type: 'user',
			uuid: 'signs',
			text: '\0 \u0001 \u007f \u2028 \u2029 \ufeff \ud800 \udc00x \u{1f600} \r\n\t " \\ / é e\u0301',
		},
		{ type: 'user', uuid: 'numbers', list: [0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER + 2, -1.5e300] },
		{ type: 'user', uuid: 'nothing', null: null, empty: {}, list: [], text: '', false: false },
		JSON.parse('{"type":"user","uuid":"names","__proto__":{"a":1},"constructor":2,"":3,"$a.b":4}') as SessionStoreEntry,
		{ type: 'a type that nobody knows', uuid: 'deep', deep },
	];
}

/** Text that differs from what a parser would write again. */
export const awkwardLines: readonly string[] = [
	'{"type":"user","n":1.0}',
	'{"type":"user","n":1e400,"m":-0,"long":12345678901234567890123}',
	'{ "type" : "user" , "b":1,"a":2 }',
	'{"type":"user","a":1,"a":2}',
	'{"type":"user","text":"\\u00e9\\u0000\\/\\ud800"}',
	'{"type":"user","text":"é 😀"}\r',
];

/** Signs that mean something to a file system, a pattern, or a database. */
export const awkwardNames: readonly string[] = [
	'a b',
	'..',
	'../up',
	'/root',
	'a//b',
	'.hidden',
	'a%2Fb',
	'a_b',
	'a%b',
	"it's; DROP TABLE entries",
	'é\u{1f600}',
	'a.jsonl',
	'a.jsonl/b',
	'a\\b',
	'pi:2026',
	'{}',
	'null',
];

/** Names of which some begin with others, and some are patterns that others fit: of `LIKE`, of a shell, of a regular expression. */
export const alikeNames: readonly string[] = [
	...['-home-dev', '-home-dev-notes', '-home-dev-notes-old', '-home_dev', '-home-d%', '-home-%', '%-notes'],
	...['-home-de_', '-home-de?', '-home-*', '-home-.*', '-home-d[ae]v', '-home.dev', 'dev'],
];

/** Nobody has written under these, though others begin with them or fit them. */
export const unwrittenNames: readonly string[] = ['-home', '-home-dev-', 'home-dev', '%', '_home-dev', '*', '.*'];
