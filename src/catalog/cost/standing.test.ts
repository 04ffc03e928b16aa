/** A carried response counts for one session, whichever sessions exist and in whatever order they are found. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sighting } from '../../codecs/index.ts';
import { type Carried, type CarriedPart, type NamedSession, noUsage } from '../../model/index.ts';
import type { SessionFile } from './collect.ts';
import { Ledger } from './ledger.ts';
import { partAt, Standings } from './standing.ts';

const a: NamedSession = { format: 'claude-code', id: 'a' };
const b: NamedSession = { format: 'cline', id: 'b' };
const c: NamedSession = { format: 'claude-code', id: 'c' };
const d: NamedSession = { format: 'openclaw', id: 'd' };
const all = [a, b, c, d];

const fileOf = ({ format, id }: NamedSession): SessionFile => ({ path: `/${format}/${id}`, id, agent: format, format });
const part = (of: NamedSession, to: number, hops: number): CarriedPart => ({ of, from: 0, to, length: 100, hops });

/** `a` went to `b`, went on there, and came to `c`; `a` went to `d` as well. Replies are at 10, 20 and 30. */
const notes: readonly Carried[] = [
	{ ...b, parts: [{ of: a, from: 0, until: 15, length: 100, hops: 1 }] },
	{ ...c, parts: [part(a, 15, 2), { of: b, from: 15, to: 25, length: 200, hops: 1 }] },
	{ ...d, parts: [part(a, 15, 1)] },
];
const replies: { readonly [session: string]: readonly number[] } = { a: [10], b: [10, 20], c: [10, 20, 30], d: [10] };

/** `apart`: each copy has a key of its own, as after a conversion that cannot keep it. */
function owners(present: readonly NamedSession[], apart: boolean): object {
	const standings = new Standings(notes, all.filter((one) => present.includes(one)).map(fileOf));
	const ledger = new Ledger();
	for (const one of present) {
		const file = fileOf(one);
		const standing = standings.of(file);
		const { id: session, ...rest } = file;
		const sink = ledger.sink({ ...rest, session, ...(standing ? { standing } : {}) });
		for (const at of replies[one.id] ?? []) {
			const key = apart ? `${one.id} ${at}` : String(at);
			const place = { at, line: at, time: at, request: undefined, model: undefined, provider: undefined };
			sink.seen({ ...place, key, usage: noUsage, costUsd: undefined, responses: 1 } satisfies Sighting);
		}
	}
	const counted: string[] = [];
	ledger.each(({ first, copyOf }) => {
		if (copyOf === undefined) counted.push(`${first.at} ${first.file.session}`);
	});
	return counted.sort();
}

describe('a response that was handed on', () => {
	it.each([
		['for the session that wrote it', all, ['10 a', '20 b', '30 c']],
		['for the nearest copy, where that is gone', [b, c], ['10 b', '20 b', '30 c']],
		['for the last copy, where all others are gone', [c], ['10 c', '20 c', '30 c']],
		['for the first, where those between are gone', [a, c], ['10 a', '20 c', '30 c']],
		['for one of two copies of the same', [b, d], ['10 b', '20 b']],
	])('counts once, %s', (_, present, expected) => {
		for (const apart of [true, false]) expect(owners(present, apart)).toEqual(expected);
	});

	it('counts the same in whatever order files are found', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(all, { minLength: 1 }), fc.boolean(), (found, apart) => {
				expect(owners(found, apart)).toEqual(
					owners(
						all.filter((one) => found.includes(one)),
						apart,
					),
				);
			}),
		);
	});

	it('is its own where a later time says so, though its message has the number of one that came along', () => {
		const parts = [{ from: 0, to: 9, until: 15 }];
		expect(partAt(parts, { at: 700, line: 2, time: 10 })).toBeDefined();
		expect(partAt(parts, { at: 700, line: 2, time: 20 })).toBeUndefined();
		expect(partAt(parts, { at: 7, line: 9, time: 10 })).toBeUndefined();
	});
});

describe('a response that forks repeat', () => {
	const places = ['/a', '/b', '/c', '/d'];
	const made = (of: string, forked: number): CarriedPart => ({
		of: { format: 'claude-code', id: of },
		from: 0,
		to: 15,
		length: 100,
		hops: 1,
		forked,
	});
	/** The session whose response is counted; `lineage` says of each fork what it was made of, and when. */
	function counted(ids: readonly string[], lineage: { readonly [id: string]: CarriedPart }): string[] {
		const sessions = ids.map((id, at): SessionFile => {
			return { path: `${places[at]}`, id, agent: 'claude-code', format: 'claude-code' };
		});
		const carried = Object.entries(lineage).map(([id, part]) => ({
			format: 'claude-code' as const,
			id,
			parts: [part],
		}));
		const standings = new Standings(carried, sessions);
		const ledger = new Ledger();
		for (const file of sessions) {
			const standing = standings.of(file);
			const sink = ledger.sink({ ...file, session: file.id, ...(standing ? { standing } : {}) });
			const place = { at: 10, line: 1, time: 1, request: undefined, model: undefined, provider: undefined };
			sink.seen({ ...place, key: 'copied', usage: noUsage, costUsd: undefined, responses: 1 });
		}
		const found: string[] = [];
		ledger.each(({ first, copyOf }) => {
			if (copyOf === undefined) found.push(first.file.session);
		});
		return found;
	}

	it('counts for the original, then for the fork that was made first, wherever they are and whatever is gone', () => {
		const lineage = { first: made('original', 1000), second: made('original', 2000), third: made('first', 3000) };
		const all = fc.shuffledSubarray(['original', 'first', 'second', 'third'], { minLength: 1 });
		fc.assert(
			fc.property(all, (ids) => {
				const [oldest] = ['original', 'first', 'second', 'third'].filter((id) => ids.includes(id));
				expect(counted(ids, lineage)).toEqual([oldest]);
			}),
		);
	});
});
