/** Converting a session while it goes by, window after window, gives what converting it as a whole gives, or is refused. */
import { afterAll, expect, it } from 'vitest';
import { type Codec, codecs, type Encoded } from '../../src/codecs/index.ts';
import { bytesOf, NotPossible } from '../../src/codecs/shared/write/pieces.ts';
import { type Loss, lastInGraph, type Profile } from '../../src/model/index.ts';
import { convertInPieces, convertSession } from '../../src/move/convert.ts';
import { lossKind } from '../../src/move/losses.ts';
import { type WindowSizes, windowsOf } from '../../src/move/session-windows.ts';
import { openReader } from '../../src/store/reader/session-reader.ts';
import { Scratch } from '../support/sessions.ts';
import { allSessions, profiles, type SomeSession } from './support.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const sessions = await allSessions(scratch.folder);
const reference = () => ({ format: 'x', id: 'y', length: 1, xxh64: 'z' });

interface Made {
	readonly bytes: Buffer;
	/** The files beside it. */
	readonly beside: string;
	readonly losses: readonly string[];
	readonly windows: number;
}

/** Kind by kind: a stage of a conversion tells all of its losses before the next one does, and windows come one by one. */
function listed(losses: readonly Loss[]): readonly string[] {
	const kinds = Map.groupBy(losses, lossKind);
	return [...kinds.keys()].sort().map((kind) => JSON.stringify(kinds.get(kind)));
}

function besideText(files: Encoded['beside']): string {
	return files.map(({ path, bytes }) => `${path}\n${Buffer.from(bytes).toString()}`).join('\n');
}

function whole({ session }: SomeSession, codec: Codec, profile: Profile): Omit<Made, 'windows'> {
	const { bytes, beside, losses } = convertSession(session, codec, { profile, path: '/home/x.jsonl', reference });
	return { bytes: Buffer.from(bytes), beside: besideText(beside), losses: listed(losses) };
}

/** Undefined where the session is refused. */
function passing(
	{ path, session: { leaf } }: SomeSession,
	codec: Codec,
	profile: Profile,
	sizes: WindowSizes,
): Made | undefined {
	using reader = openReader(path);
	const stream = reader.passing();
	if (!stream) return undefined;
	// By then the file would be in its place.
	let ended = false;
	try {
		let windows = 1;
		const all = windowsOf({ ...stream, leaf: () => leaf }, codec, sizes);
		const entries = all.next().value ?? [];
		const session = { ...stream.session(), entries, leaf: lastInGraph(entries) };
		if (session.header.agent !== undefined) return undefined;
		function* more() {
			for (const window of all) {
				windows += 1;
				yield window;
			}
		}
		const made = convertInPieces(session, codec, {
			profile,
			path: '/home/x.jsonl',
			reference,
			more: more(),
		});
		const bytes = Buffer.concat(Array.from(bytesOf(made.pieces), (part) => Buffer.from(part)));
		ended = true;
		const amendment = made.amended?.();
		if (amendment) bytes.set(amendment.bytes, amendment.at);
		return { bytes, beside: besideText(made.beside), losses: listed(made.losses()), windows };
	} catch (error) {
		if (error instanceof NotPossible && !ended) return undefined;
		throw error;
	}
}

function differences(made: Omit<Made, 'windows'>, expected: Omit<Made, 'windows'>): readonly string[] {
	const wrong = made.bytes.equals(expected.bytes) ? [] : ['bytes'];
	if (made.beside !== expected.beside) wrong.push('files beside it');
	if (JSON.stringify(made.losses) !== JSON.stringify(expected.losses)) wrong.push('losses');
	return wrong;
}

const someSizes: readonly WindowSizes[] = [
	{ least: 1, held: 0 },
	{ least: 3, held: 4 },
];

it.each(profiles)('windows give the same bytes and losses (%s)', { timeout: 120_000 }, (profile) => {
	const wrong: string[] = [];
	let several = 0;
	for (const some of sessions) {
		for (const codec of codecs.filter((target) => target.id !== some.session.format)) {
			const expected = whole(some, codec, profile);
			for (const sizes of someSizes) {
				const made = passing(some, codec, profile, sizes);
				if (made && made.windows > 1) several += 1;
				const where = `${some.name} → ${codec.id} ${JSON.stringify(sizes)}`;
				for (const what of made ? differences(made, expected) : []) wrong.push(`${where}: ${what}`);
			}
		}
	}
	expect(wrong).toEqual([]);
	expect(several).toBeGreaterThan(100);
});
