/** Every session of the corpus in every other format: accepted by its rules, twice the same, and nothing lost in silence. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Codec, checkBytes, codecOf, codecs, decodeBytes, issuesIn } from '../../src/codecs/index.ts';
import { type Entry, type MessageEntry, type Profile, type Session, usageOf } from '../../src/model/index.ts';
import { convertSession } from '../../src/move/convert.ts';
import { conversation } from '../support/arbitrary.ts';
import { conversationOf } from '../support/laws.ts';
import { seed } from '../support/mutate.ts';
import { Scratch } from '../support/sessions.ts';
import { allSessions, others, profiles } from './support.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const sessions = await allSessions(scratch.folder);

describe('convert', () => {
	it.each(profiles)(
		'every pair of formats: check finds no error, and twice gives equal bytes (%s)',
		{ timeout: 60_000 },
		(profile) => {
			const wrong: string[] = [];
			let count = 0;
			for (const { name, session } of sessions) {
				for (const codec of others(session)) {
					for (const problem of problemsOf(session, codec, profile)) wrong.push(`${name} → ${codec.id}: ${problem}`);
					count += 1;
				}
			}
			expect(wrong).toEqual([]);
			expect(count).toBe(sessions.length * (codecs.length - 1));
		},
	);

	it('what is said on the way to where it goes on arrives, or a loss names its entry', { timeout: 60_000 }, () => {
		const silent: string[] = [];
		for (const { name, session } of sessions) {
			for (const codec of others(session)) {
				const made = convertSession(session, codec, { profile: 'client' });
				const arrived = new Set(textsOf(decodeBytes(codec, made.bytes, made.id).entries).map(({ text }) => text));
				const named = new Set(made.losses.map((loss) => loss.entry));
				for (const { text, entry } of textsOf(session.entries)) {
					if (!arrived.has(text) && !named.has(entry.id))
						silent.push(`${name} → ${codec.id}: ${entry.id} ${text.slice(0, 60)}`);
				}
			}
		}
		expect(silent).toEqual([]);
	});
});

function problemsOf(session: Session, codec: Codec, profile: Profile): readonly string[] {
	const options = { profile, path: `/home/x${codec.places.ending}` };
	const made = convertSession(session, codec, options);
	const again = convertSession(session, codec, options);
	expect(made.beside).toEqual(again.beside);
	const threads = made.beside.filter((one) => /agent-[^/]*\.jsonl$|\.messages\.json$/.test(one.path));
	const issues = [made, ...threads].flatMap(({ bytes }) => issuesIn(profile, checkBytes(codec, bytes)));
	return [
		...(Buffer.from(made.bytes).equals(Buffer.from(again.bytes)) ? [] : ['twice differs']),
		...issues.filter((issue) => issue.severity === 'error').map((issue) => `${issue.rule} ${issue.message}`),
	];
}

/** Prompts and replies of the main thread, without the blanks around them. */
function textsOf(entries: readonly Entry[]): readonly { readonly text: string; readonly entry: MessageEntry }[] {
	const found: { text: string; entry: MessageEntry }[] = [];
	for (const entry of entries) {
		if (entry.kind !== 'message' || entry.agent !== undefined) continue;
		for (const block of entry.content) {
			const text = block.type === 'text' ? block.text.trim() : '';
			if (text !== '') found.push({ text, entry });
		}
	}
	return found;
}

describe.each(codecs.map((codec) => [codec.id, codec] as const))('from %s', (_, from) => {
	it.each(others({ format: from.id }).map((codec) => [codec.id, codec] as const))(
		'to %s and back: what both formats grant is equal, and a loss names the rest',
		(_id, to) => {
			fc.assert(
				fc.property(conversation, (made) => {
					const written = from.write.encode({
						profile: 'client',
						id: made.id,
						header: made.header,
						entries: made.entries,
					});
					const source = decodeBytes(from, written.bytes, made.id);
					const there = convertSession(source, to, { profile: 'client', path: '/home/x.messages.json' });
					const middle = decodeBytes(to, there.bytes, there.id);
					const back = convertSession(middle, from, { profile: 'client', path: '/home/x.messages.json' });
					const home = decodeBytes(from, back.bytes, back.id);
					expect(said(home, from, to)).toEqual(said(source, from, to));
					expect(back.id).toBe(made.id);
					if (from.capabilities.usage && to.capabilities.usage) {
						expect(usageOf(home.entries)).toEqual(usageOf(source.entries));
					} else expect(lossesAbout(there.losses, 'usage') || !hasUsage(source)).toBe(true);
				}),
				{ numRuns: 40, seed },
			);
		},
	);
});

/** Without its signature thinking is text to some clients, so it counts only where both formats keep signatures; likewise images. */
function said(session: Session, { capabilities: a }: Codec, { capabilities: b }: Codec): readonly string[] {
	const signed = a.thinkingSignatures === b.thinkingSignatures;
	return conversationOf(session.entries).filter((line) => {
		if (/^assistant(: <thinking>| thinking$)/.test(line)) return signed;
		return !/^user( image$|: \[image: )/.test(line) || (a.images && b.images);
	});
}

function hasUsage(session: Session): boolean {
	return session.entries.some((entry) => entry.kind === 'message' && entry.response?.usage !== undefined);
}

function lossesAbout(losses: readonly { readonly path: string }[], what: string): boolean {
	return losses.some((loss) => loss.path.includes(what));
}

it('a session without a message is refused in one sentence', () => {
	const clido = codecOf('clido');
	const pi = codecOf('openclaw');
	if (!clido || !pi) throw new Error('the codecs are gone');
	const line =
		'{"type":"meta","session_id":"s","schema_version":1,"start_time":"2026-01-01T00:00:00Z","project_path":"/p"}\n';
	const session = decodeBytes(clido, Buffer.from(line), 's');
	expect(() => convertSession(session, pi, { profile: 'client' })).toThrow('has no messages');
});
