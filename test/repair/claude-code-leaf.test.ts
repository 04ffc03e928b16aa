/** Repair and the leaf of Claude Code's sessions: it is never moved, but for branches that would be lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBytes, claudeCode, type RepairOptions } from '../../src/codecs/index.ts';
import { planRepair } from '../../src/store/repair/plan.ts';
import { contextOf } from '../support/claude-code-context.ts';
import { session, treeFile } from '../support/claude-code-trees.ts';
import { seed } from '../support/mutate.ts';

const options: RepairOptions = { id: session, time: '2026-01-01T00:00:00.000Z', cwd: '/w' };
const sent = (bytes: Uint8Array, client: string): readonly string[] =>
	contextOf(bytes, { client, exact: true }).from.flat();

/** Rules whose repair puts lines where they were not sent before. */
const linking = ['broken-parent', 'lost-history', 'cycle', 'several-roots', 'stale-pointer'].map(
	(rule) => `claude-code/${rule}`,
);

test('a repair leaves the conversation where the newest client goes on, unless it brings back what was lost', () => {
	fc.assert(
		fc.property(treeFile, (bytes) => {
			const plan = planRepair(claudeCode, bytes, options);
			expect(checkBytes(claudeCode, plan.bytes).filter((issue) => issue.severity === 'error')).toEqual([]);
			const [before, after] = [sent(bytes, '2.1.325'), sent(plan.bytes, '2.1.325')];
			if (plan.changes.some((change) => linking.includes(change.rule))) return;
			expect(after).toEqual(before);
		}),
		{ numRuns: 400, seed },
	);
});

test('after a repair for 2.1.29 it sends every message that the newest client sends', () => {
	fc.assert(
		fc.property(treeFile, (bytes) => {
			// 2.1.29 knows nothing of kept messages, and unknown types are mended only on the way that is continued.
			if (/preservedMessages|something-new/.test(Buffer.from(bytes).toString())) return;
			const plan = planRepair(claudeCode, bytes, { ...options, client: '2.1.29' });
			const old = new Set(sent(plan.bytes, '2.1.29'));
			expect(sent(plan.bytes, '2.1.325').filter((id) => !old.has(id))).toEqual([]);
		}),
		{ numRuns: 400, seed },
	);
});
