/** Every malformed case becomes one that `check` passes and the real client resumes with the expected conversation. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Codec, checkBytes, codecOf, decodeBytes } from '../../src/codecs/index.ts';
import { memorySource } from '../../src/model/index.ts';
import { buildContext } from '../../src/store/reader/context.ts';
import { planRepair, type RepairPlan } from '../../src/store/repair/repair.ts';
import { corpusFiles } from '../support/corpus.ts';
import { answersOf, askedClients, inShort } from './answers.ts';
import { type RepairCase, repairCases } from './cases.ts';
import { expectedOf } from './expected.ts';

const cases = repairCases().map((one) => {
	const codec = codecOf(one.format) as Codec;
	return { one, codec, plan: planRepair(codec, one.bytes, one.options) };
});
const repaired = cases.filter(({ plan }) => plan.changed && plan.unrepaired.length === 0);

/** Nothing in these can be mended by an edit; docs/repair.md tells why. */
const hopeless = ['claude-code/resume-cases/empty_file', 'clido/1.0.15/24-schema-version-2'];

describe('check', () => {
	test('every case with an error is repaired or named as beyond repair', () => {
		const left = cases.filter(({ plan }) => plan.unrepaired.length > 0).map(({ one }) => one.name);
		expect(left).toEqual(hopeless);
		const wrong = cases.filter(({ plan }) => plan.before.some((issue) => issue.severity === 'error'));
		expect(wrong.length).toBeGreaterThan(60);
		expect(wrong.filter(({ plan }) => !plan.changed).map(({ one }) => one.name)).toEqual(hopeless);
	});

	test.each(repaired.map(({ one, codec, plan }) => [one.name, codec, plan] as const))(
		'%s has no error left, and every change names its rule',
		(_, codec, plan) => {
			expect(checkBytes(codec, plan.bytes).filter((issue) => issue.severity === 'error')).toEqual([]);
			const rules = new Set(codec.check.rules.map((rule) => rule.id));
			for (const change of plan.changes) expect(rules.has(change.rule), change.rule).toBe(true);
		},
	);

	test('a file that a real client recorded is changed only where the client itself left a gap', () => {
		const changed = corpusFiles()
			.filter((file) => !file.handWritten)
			.flatMap((file) => {
				const codec = codecOf(file.format) as Codec;
				const options = { id: 'recorded', time: '2026-01-01T00:00:00.000Z', cwd: '/p' };
				return planRepair(codec, file.bytes(), options).changes.map((change) => change.rule);
			});
		expect([...new Set(changed)].sort()).toEqual(recordedGaps);
	});
});

/** With prompt suggestions 2.1.29 writes the last reply of a turn into another file. */
const recordedGaps = ['claude-code/broken-parent'];

/** The session begins with a reply. The API wants a prompt first; nobody knows what it was, and none is invented. */
const startsWithReply = new Set(['cline/resume-cases/a23-first-assistant']);

describe('the real clients', () => {
	const asked = repaired.flatMap(({ one, plan }) =>
		(askedClients[one.format] ?? []).map((client) => [client, one.name, one, plan] as const),
	);

	test.each(asked)('%s resumes %s with the expected conversation', (client, name, one, plan) => {
		const answer = answersOf(client)[name];
		expect(answer, 'record it with scripts/record-repair.ts').toBeDefined();
		if (!answer) return;
		expect(answer.repaired, 'repaired otherwise since it was recorded').toBe(sha256(plan.bytes));
		expect(answer).toMatchObject({ accepted: true });
		if (!startsWithReply.has(name)) expect(answer.apiRejection).toBeUndefined();
		const wanted = expectedOf(name);
		if (wanted !== undefined) expect(inShort(answer.messages)).toBe(wanted);
		else everyTextIsThere(one, plan, JSON.stringify(answer.messages));
	});

	test('Clido: the rules of its reader accept every repaired case, with the expected conversation', () => {
		for (const { one, codec, plan } of repaired) {
			if (one.format !== 'clido') continue;
			const context = buildContext(codec, memorySource(plan.bytes), {});
			expect(context.refused, one.name).toBeUndefined();
			expect(inShort(context.messages), one.name).toBe(expectedOf(one.name));
		}
	});
});

function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/** For long sessions: what anybody said before the damage is sent. */
function everyTextIsThere(one: RepairCase, plan: RepairPlan, sent: string): void {
	const session = decodeBytes(codecOf(one.format) as Codec, plan.bytes);
	const texts = session.entries.flatMap((entry) =>
		entry.kind === 'message'
			? entry.content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []))
			: [],
	);
	expect(texts.length).toBeGreaterThan(10);
	for (const text of texts) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
}
