/** Laws of repair over damaged files: it never throws, it helps, it stops, and it leaves alone what was sound. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Codec, checkBytes, codecs, decodeBytes, type Line, type RepairOptions } from '../../src/codecs/index.ts';
import { planRepair } from '../../src/store/repair/plan.ts';
import { type CorpusFile, corpusFiles } from '../support/corpus.ts';
import { damage } from '../support/damage.ts';
import { mutation, seed } from '../support/mutate.ts';

const runs = process.env.REPRISE_FUZZ === 'full' ? 5_000 : 300;
const plain: RepairOptions = {
	id: '00000000-0000-4000-8000-000000000000',
	time: '2026-01-01T00:00:00.000Z',
	cwd: '/project',
};

/** As most people ask for it, and with each option. */
const asked: fc.Arbitrary<RepairOptions> = fc.constantFrom(
	plain,
	plain,
	{ ...plain, client: '2.1.29' },
	{ ...plain, thinking: 'text' },
	{ ...plain, thinking: 'drop' },
);

/** Small enough that hundreds of them take seconds; the shape of a file does not depend on its size. */
const largest = 150_000;

interface Part {
	readonly line: number;
	readonly text: string;
}

/** The records that hold an object, as text. */
function recordsOf(codec: Codec, bytes: Uint8Array): readonly Part[] {
	const found: Part[] = [];
	const reader = codec.read.reader();
	const visit = (line: Line): void => {
		if (line.part !== 'item' || line.value === undefined) return;
		found.push({ line: line.line, text: Buffer.from(line.bytes).toString('latin1').trim() });
	};
	reader.push(bytes, visit);
	reader.end(visit);
	return found;
}

/** What holds for any damaged file. */
function repairHolds(codec: Codec, damaged: Uint8Array, options: RepairOptions): void {
	const plan = planRepair(codec, damaged, options);
	decodeBytes(codec, plan.bytes);
	// What is left are errors that the codec itself declares beyond repair, with a reason.
	const hopeless = codec.check.repair?.hopeless ?? {};
	const left = checkBytes(codec, plan.bytes).filter((issue) => issue.severity === 'error');
	expect(left.filter((issue) => !Object.hasOwn(hopeless, issue.rule))).toEqual([]);
	// Once is enough.
	const again = planRepair(codec, plan.bytes, options);
	expect(again.changes).toEqual([]);
	expect(Buffer.from(again.bytes).equals(Buffer.from(plan.bytes))).toBe(true);
	// A record that no change names is still there, byte for byte, and no rule is named that the codec does not have.
	const rules = new Set(codec.check.rules.map((rule) => rule.id));
	for (const change of plan.changes) expect(rules.has(change.rule), change.rule).toBe(true);
	const touched = new Set(plan.changes.map((change) => change.line));
	const kept = new Set(recordsOf(codec, plan.bytes).map((part) => part.text));
	for (const { line, text } of recordsOf(codec, damaged)) {
		if (!touched.has(line)) expect(kept.has(text), `line ${line} is gone: ${text.slice(0, 200)}`).toBe(true);
	}
	// A file in which nothing was wrong stays as it is.
	const wrong = plan.before.some((issue) => issue.severity !== 'info');
	if (!wrong && options.thinking === undefined) expect(plan.changed).toBe(false);
}

describe.each(codecs.map((codec) => [codec.id, codec] as const))('%s', (id, codec) => {
	const files: readonly CorpusFile[] = corpusFiles(id).filter((file) => file.bytes().length < largest);

	test('damaged bytes are mended once and for all, and what was sound keeps its bytes', { timeout: 240_000 }, () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...files),
				fc.array(mutation, { minLength: 1, maxLength: 3 }),
				asked,
				(file, mutations, options) => {
					repairHolds(
						codec,
						mutations.reduce((bytes, one) => one.apply(bytes), file.bytes()),
						options,
					);
				},
			),
			{ numRuns: runs, seed },
		);
	});

	test('damaged meaning is mended once and for all, and what was sound keeps its bytes', { timeout: 240_000 }, () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...files),
				fc.array(damage, { minLength: 1, maxLength: 4 }),
				asked,
				(file, damages, options) => {
					repairHolds(
						codec,
						damages.reduce((bytes, one) => one.apply(bytes), file.bytes()),
						options,
					);
				},
			),
			{ numRuns: runs, seed },
		);
	});
});
