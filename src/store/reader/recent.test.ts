/** The end of a session, read from its end, equals the end of a whole reading. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { codecOf, codecs, decodeBytes, detect, readSession } from '../../codecs/index.ts';
import { type Entry, memorySource, type Source } from '../../model/index.ts';
import { recentOf, stateBehind } from './recent.ts';

const files = corpusFiles().flatMap((file) => {
	const codec = codecOf(file.format);
	const found = detect(codecs, { head: file.bytes(), complete: true });
	return codec && found && found !== 'more' ? [{ ...file, codec, dialect: found.dialect }] : [];
});
const lines = files.filter(({ codec }) => codec.capabilities.container === 'lines');
const isMessage = (entry: Entry) => entry.kind === 'message';

/**
 * What does not depend on where reading began. A line without links follows the one before, which is not known here;
 * where lines have ids, those without one are not counted.
 */
function plain({ parent: _, records: _records, ...entry }: Entry, { codec, dialect }: (typeof files)[number]): object {
	return codec.context.resumePath?.links(dialect) ? { ...entry, id: entry.id.replace(/^line:\d+$/, 'line') } : entry;
}

describe('the end of a session', () => {
	it.each(files.map((file) => [file.name, file] as const))('has its last entries: %s', (_, file) => {
		const { codec, dialect } = file;
		const bytes = file.bytes();
		const whole = decodeBytes(
			codec,
			bytes.subarray(0, codec.capabilities.container === 'lines' ? bytes.lastIndexOf(10) + 1 : bytes.length),
		);
		for (const last of [0, 1, 3, 1000]) {
			const { entries } = recentOf(codec, dialect, memorySource(bytes), { last, counts: isMessage });
			const end = whole.entries.slice(whole.entries.length - entries.length);
			expect(entries.map((entry) => plain(entry, file))).toEqual(end.map((entry) => plain(entry, file)));
			const told = entries.filter(isMessage).length;
			expect(told).toBeGreaterThanOrEqual(Math.min(last, whole.entries.filter(isMessage).length));
			if (last === 0) expect(entries).toEqual([]);
		}
	});

	it('is where reading goes on, wherever it was left', () => {
		fc.assert(
			fc.property(fc.nat(lines.length - 1), fc.double({ min: 0, max: 1, noNaN: true }), (index, share) => {
				const file = lines[index];
				if (!file) return;
				const { codec, dialect } = file;
				const bytes = file.bytes();
				const length = Math.floor(share * bytes.length);
				const state = stateBehind(codec, dialect, memorySource(bytes), length);
				const reading = readSession(codec, state);
				const { entries } = reading.push(bytes.subarray(state.position.at));
				const whole = readSession(codec);
				const before = whole.push(bytes.subarray(0, length)).entries.length;
				const after = decodeBytes(codec, bytes.subarray(0, bytes.lastIndexOf(10) + 1)).entries.slice(before);
				expect(entries.map((entry) => plain(entry, file))).toEqual(after.map((entry) => plain(entry, file)));
			}),
			{ numRuns: 300 },
		);
	});

	it('is found without reading the rest', () => {
		const codec = codecOf('claude-code');
		if (!codec) throw new Error('claude-code');
		const text = 'x'.repeat(1000);
		const line = (uuid: number) =>
			`${JSON.stringify({ type: 'user', uuid: String(uuid), parentUuid: null, sessionId: 's', cwd: '/', timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: text } })}\n`;
		const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, index) => line(index)).join(''));
		let read = 0;
		const source: Source = {
			size: bytes.length,
			read(at, length) {
				read += Math.min(length, bytes.length - at);
				return bytes.subarray(at, at + length);
			},
		};
		const { entries } = recentOf(codec, 'classic', source, { last: 10, counts: () => true });
		expect(entries.map((entry) => entry.id)).toEqual(Array.from({ length: 10 }, (_, index) => String(39_990 + index)));
		expect(read).toBeLessThan(5e6);
		expect(bytes.length).toBeGreaterThan(4e7);
	});
});
