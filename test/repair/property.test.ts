/** Laws of repair over damaged files: it never throws, it helps, it stops, and it leaves alone what was sound. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Codec, checkBytes, codecs, decodeBytes } from '../../src/codecs/index.ts';
import { planRepair } from '../../src/store/repair/plan.ts';
import { corpusFiles } from '../support/corpus.ts';
import { mutation, seed } from '../support/mutate.ts';

const runs = process.env.REPRISE_FUZZ === 'full' ? 3_000 : 300;
const options = { id: '00000000-0000-4000-8000-000000000000', time: '2026-01-01T00:00:00.000Z', cwd: '/project' };

/** Small enough that a thousand of them take seconds; the shape of a file does not depend on its size. */
const largest = 300_000;

/** Rules about several lines at once: mending one may change a line in which nothing is wrong by itself. */
const joint = /several-roots|leaf-time|duplicate-uuid|id-repeated|compaction|cycle|late|unanswered|interrupted|call-|result-|repeated|pair\/|header|bare|session-uuid|tool-id|message-uuid|parent|torn|not-json|type|message|block|content|role|thinking/;

function records(codec: Codec, bytes: Uint8Array): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	const reader = codec.reader();
	const visit = (line: { part: string; value?: unknown; bytes: Uint8Array }): void => {
		if (line.part !== 'item' || line.value === undefined) return;
		const text = Buffer.from(line.bytes).toString('latin1').trim();
		counts.set(text, (counts.get(text) ?? 0) + 1);
	};
	reader.push(bytes, visit);
	reader.end(visit);
	return counts;
}

describe.each(codecs.map((codec) => [codec.id, codec] as const))('%s', (id, codec) => {
	const files = corpusFiles(id).filter((file) => file.bytes().length < largest);

	test('a damaged file is mended once and for all, and what was sound keeps its bytes', { timeout: 120_000 }, () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), fc.array(mutation, { minLength: 1, maxLength: 3 }), (file, mutations) => {
				const damaged = mutations.reduce((bytes, one) => one.apply(bytes), file.bytes());
				const plan = planRepair(codec, damaged, options);
				decodeBytes(codec, plan.bytes);
				const hopeless = codec.repair?.hopeless ?? {};
				const left = checkBytes(codec, plan.bytes).filter((issue) => issue.severity === 'error');
				expect(left.filter((issue) => !Object.hasOwn(hopeless, issue.rule))).toEqual([]);
				expect(planRepair(codec, plan.bytes, options).changes).toEqual([]);
				const touched = new Set(plan.changes.map((change) => change.line));
				const kept = new Map(records(codec, plan.bytes));
				for (const line of soundLines(codec, damaged)) {
					if (touched.has(line.line)) continue;
					const count = kept.get(line.text) ?? 0;
					expect(count, `line ${line.line} is gone: ${line.text.slice(0, 200)}`).toBeGreaterThan(0);
				}
			}),
			{ numRuns: runs, seed },
		);
	});
});

function soundLines(codec: Codec, bytes: Uint8Array): readonly { readonly line: number; readonly text: string }[] {
	const sound: { line: number; text: string }[] = [];
	const reader = codec.reader();
	const visit = (line: { part: string; value?: unknown; bytes: Uint8Array; line: number }): void => {
		if (line.part === 'item' && line.value !== undefined)
			sound.push({ line: line.line, text: Buffer.from(line.bytes).toString('latin1').trim() });
	};
	reader.push(bytes, visit);
	reader.end(visit);
	return sound;
}
