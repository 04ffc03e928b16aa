/** Changes one value inside JSON text and keeps every other byte. Only for valid JSON. */
import type { Json } from '../../../model/index.ts';
import { type Member, membersOf, skipSpace, startOf, valueEnd } from '../read/json-spans.ts';

export type Path = readonly (string | number)[];

/** The steps of a path such as `message.content[0].id`. */
export function stepsOf(path: string): Path {
	return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
}

/** The text with another value at `path`. Only the last step may be missing: then it is added. */
export function withValue(bytes: Uint8Array, path: Path, value: Json): Uint8Array {
	return withText(bytes, path, JSON.stringify(value));
}

/** `withValue` for a value that is given as JSON text. */
export function withText(bytes: Uint8Array, path: Path, text: string): Uint8Array {
	const found = find(bytes, path);
	if (found) return splice(bytes, found.at, found.end, text);
	const around = find(bytes, path.slice(0, -1));
	const key = path.at(-1);
	if (!around || key === undefined) return bytes;
	const members = membersOf(bytes, around.at);
	const field = typeof key === 'string' ? `${JSON.stringify(key)}:${spaceBeforeValues(bytes, members)}${text}` : text;
	const last = members.at(-1);
	if (!last) return splice(bytes, around.at + 1, around.at + 1, field);
	return splice(bytes, last.end, last.end, `,${indentation(bytes, around.at)}${field}`);
}

/** The text without the field or element at `path`. A field given several times is removed altogether. */
export function withoutValue(bytes: Uint8Array, path: Path): Uint8Array {
	const around = find(bytes, path.slice(0, -1));
	if (!around) return bytes;
	const members = membersOf(bytes, around.at);
	const index = members.findLastIndex((member) => member.key === path.at(-1));
	if (index === -1) return bytes;
	const rest = withoutMember(bytes, members, index);
	return typeof path.at(-1) === 'string' ? withoutValue(rest, path) : rest;
}

/** The text with only the last value of each repeated field, as JSON.parse reads it. */
export function withoutRepeats(bytes: Uint8Array, path: Path): Uint8Array {
	const around = find(bytes, path);
	const members = around ? membersOf(bytes, around.at) : [];
	const last = new Map(members.map((member) => [member.key, member]));
	if (last.size === members.length) return bytes;
	const out: Uint8Array[] = [];
	let at = 0;
	for (const [index, member] of members.entries()) {
		if (last.get(member.key) === member) continue;
		out.push(bytes.subarray(at, member.from));
		at = members[index + 1]?.from ?? member.end;
	}
	return Buffer.concat([...out, bytes.subarray(at)]);
}

/** The bytes of the value at `path`; undefined when there is none. */
export function valueText(bytes: Uint8Array, path: Path): string | undefined {
	const found = find(bytes, path);
	return found && Buffer.from(bytes.subarray(found.at, found.end)).toString('utf8');
}

function withoutMember(bytes: Uint8Array, members: readonly Member[], index: number): Uint8Array {
	const gone = members[index] as Member;
	const next = members[index + 1];
	const before = members[index - 1];
	if (next) return splice(bytes, gone.from, next.from, '');
	return splice(bytes, before ? before.end : gone.from, gone.end, '');
}

/** The span of the value at `path`. Of equal names the last counts, as in JSON.parse. */
function find(bytes: Uint8Array, path: Path): { readonly at: number; readonly end: number } | undefined {
	let at = skipSpace(bytes, startOf(bytes));
	let end = valueEnd(bytes, at);
	for (const step of path) {
		const member = membersOf(bytes, at).findLast((one) => one.key === step);
		if (!member) return undefined;
		({ at, end } = member);
	}
	return end === undefined ? undefined : { at, end };
}

/** The space between the opening bracket and the first member, which a new member gets too. */
function indentation(bytes: Uint8Array, open: number): string {
	return Buffer.from(bytes.subarray(open + 1, skipSpace(bytes, open + 1))).toString('latin1');
}

function spaceBeforeValues(bytes: Uint8Array, members: readonly Member[]): string {
	const last = members.at(-1);
	return last && bytes[last.at - 1] === 0x20 ? ' ' : '';
}

function splice(bytes: Uint8Array, at: number, end: number, text: string): Uint8Array {
	return Buffer.concat([bytes.subarray(0, at), Buffer.from(text, 'utf8'), bytes.subarray(end)]);
}
