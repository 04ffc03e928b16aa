/** Laws of sessions whose long texts stay in their files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutation, seed } from '../../test/support/mutate.ts';
import { Scratch } from '../../test/support/sessions.ts';
import { type Json, type Session, wholeValue } from '../model/index.ts';
import { InputError } from './errors.ts';
import { openSession } from './open.ts';
import { openCut } from './open-cut.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());

/** What is known of a session but for its bytes. */
function known({ id, dialect, header, entries, issues }: Session): Json {
	const bare = entries.map(({ records: _, ...entry }) => entry);
	return JSON.parse(JSON.stringify({ id, dialect, header, entries: bare, issues })) as Json;
}

async function opened(path: string): Promise<Session | undefined> {
	try {
		return await openSession(path);
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

test('a damaged document is what it is as a whole, or is refused', { timeout: 60_000 }, async () => {
	const files = corpusFiles('cline').filter((file) => file.role === 'main' && file.bytes().length > 0);
	let count = 0;
	const place = join(scratch.folder, 'x.messages.json');
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...files), fc.array(mutation, { maxLength: 2 }), async (file, damage) => {
			const bytes = damage.reduce<Uint8Array>((before, one) => one.apply(before), file.bytes());
			writeFileSync(place, bytes);
			const whole = await opened(place);
			if (!whole) return;
			using cut = openCut(place, { longest: 64, window: 1 << 12 });
			if (!cut) return;
			expect(wholeValue(known(cut.session), cut.cuts.whole)).toEqual(known(whole));
			count += 1;
		}),
		{ seed, numRuns: 300 },
	);
	expect(count).toBeGreaterThan(30);
});
