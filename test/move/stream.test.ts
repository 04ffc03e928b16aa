/** Converting a session without holding what it says gives the same bytes, files and losses as holding all of it. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Codec, codecOf, codecs } from '../../src/codecs/index.ts';
import type { Profile, Session } from '../../src/model/index.ts';
import { type ConvertOptions, convertInPieces, convertSession } from '../../src/move/convert.ts';
import { expanded } from '../../src/move/stream-expand.ts';
import { slimFor } from '../../src/move/stream-slim.ts';
import { openCut } from '../../src/store/open-cut.ts';
import { Scratch } from '../support/sessions.ts';
import { allSessions, profiles, type SomeSession } from './support.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const all = (await allSessions(scratch.folder)).filter(({ session }) => codecOf(session.format)?.cuts);
/** Documents with a flaw, and those whose files beside them depend on what is said, are converted as a whole. */
const sessions = all.filter(({ path, session }) => {
	using opened = openCut(path);
	return opened !== undefined || codecOf(session.format)?.capabilities.container !== 'document';
});

interface Made {
	readonly main: Uint8Array;
	readonly beside: readonly { readonly path: string; readonly bytes: Uint8Array }[];
	readonly losses: unknown;
}

function whole(session: Session, codec: Codec, options: ConvertOptions): Made {
	const { bytes, beside, losses } = convertSession(session, codec, options);
	return { main: bytes, beside, losses };
}

function streamed(path: string, codec: Codec, options: ConvertOptions, cut: { longest: number; window: number }): Made {
	using opened = openCut(path, { ...cut, keep: slimFor(codec) });
	if (!opened) throw new Error('no WebAssembly here');
	const { session, cuts } = opened;
	const made = convertInPieces(session, codec, { ...options, whole: cuts.whole });
	const joined = (pieces: Iterable<string | Uint8Array>): Uint8Array =>
		Buffer.concat([...expanded(pieces, cuts)].map((part) => Uint8Array.from(part)));
	const main = Buffer.concat([...copies(expanded(made.pieces, cuts))]);
	const beside = made.beside.map((file) => ({ path: file.path, bytes: joined([file.bytes]) }));
	const losses = made.losses();
	expect(JSON.stringify(losses)).not.toContain(cuts.nonce);
	return { main, beside, losses };
}

/** The memory of a part is used again for the next. */
function* copies(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
	for (const part of parts) yield Uint8Array.from(part);
}

function optionsFor(codec: Codec, profile: Profile, more: Partial<ConvertOptions>): ConvertOptions {
	const path = codec.id === 'cline' ? '/home/x.messages.json' : '/home/x.jsonl';
	return { profile, path, reference: () => ({ format: 'x', id: 'y', length: 1, xxh64: 'z' }), ...more };
}

function differences(
	{ name, path, session }: SomeSession,
	codec: Codec,
	options: ConvertOptions,
	cut: { longest: number; window: number },
): readonly string[] {
	const a = whole(session, codec, options);
	const b = streamed(path, codec, options, cut);
	const where = `${name} → ${codec.id} ${options.profile} ${JSON.stringify(cut)}`;
	const wrong: string[] = [];
	if (!Buffer.from(a.main).equals(b.main)) wrong.push(`${where}: ${firstDifference(a.main, b.main)}`);
	if (JSON.stringify(a.losses) !== JSON.stringify(b.losses)) wrong.push(`${where}: losses`);
	if (a.beside.length !== b.beside.length) wrong.push(`${where}: files`);
	for (const [index, file] of a.beside.entries()) {
		const other = b.beside[index];
		if (file.path !== other?.path || !Buffer.from(file.bytes).equals(other.bytes)) {
			wrong.push(`${where}: ${file.path} ${firstDifference(file.bytes, other?.bytes ?? new Uint8Array())}`);
		}
	}
	return wrong;
}

function firstDifference(a: Uint8Array, b: Uint8Array): string {
	let at = 0;
	while (at < a.length && a[at] === b[at]) at += 1;
	const show = (bytes: Uint8Array) =>
		JSON.stringify(Buffer.from(bytes).toString('utf8', Math.max(0, at - 40), at + 60));
	return `at ${at}: ${show(a)} and ${show(b)}`;
}

describe('what is converted in pieces', () => {
	it('is nearly everything', () => {
		expect(all.length - sessions.length).toBeLessThan(all.length / 10);
		expect(sessions.filter(({ session }) => session.format === 'cline').length).toBeGreaterThan(30);
	});

	it.each(profiles)('is what is converted as a whole, in all pairs (%s)', { timeout: 120_000 }, (profile) => {
		const wrong: string[] = [];
		let count = 0;
		for (const one of sessions) {
			for (const codec of codecs) {
				wrong.push(...differences(one, codec, optionsFor(codec, profile, {}), { longest: 64, window: 1 << 16 }));
				count += 1;
			}
		}
		expect(wrong).toEqual([]);
		expect(count).toBeGreaterThan(800);
	});

	it('with other names for tools, in another folder, and wherever texts are cut', { timeout: 120_000 }, () => {
		const wrong: string[] = [];
		for (const [index, one] of sessions.entries()) {
			const codec = codecs[index % codecs.length] as Codec;
			const options = optionsFor(codec, 'client', { mapTools: true, cwd: '/elsewhere' });
			for (const cut of [
				{ longest: 64, window: 100 },
				{ longest: 100, window: 5000 },
				{ longest: 400, window: 1 << 18 },
			]) {
				wrong.push(...differences(one, codec, options, cut));
			}
		}
		expect(wrong).toEqual([]);
	});
});
