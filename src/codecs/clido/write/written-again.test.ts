/** A file that Clido wrote means the same after it was read and written again. */
import { expect, it } from 'vitest';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import type { Entry } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { clido } from '../index.ts';

it('what was read from Clido and written again means the same', () => {
	for (const file of corpusFiles('clido')) {
		if (file.bytes().length === 0 || checkBytes(clido, file.bytes()).some((issue) => issue.severity === 'error'))
			continue;
		const session = decodeBytes(clido, file.bytes(), 'x');
		const { bytes, losses } = clido.write.encode({ profile: 'client', ...session });
		const again = decodeBytes(clido, bytes);
		const bare = (entries: readonly Entry[]) =>
			entries
				.filter((entry) => entry.kind !== 'start' && !(entry.kind === 'event' && entry.event.type === 'call'))
				.map(({ id: _id, parent: _parent, records: _records, extra: _extra, ...rest }) => rest);
		const known = session.entries.map((entry) =>
			entry.kind === 'outcome' && entry.status === 'success' ? { ...entry, status: 'completed' } : entry,
		);
		expect(bare(again.entries)).toEqual(bare(known));
		expect(losses.filter((loss) => loss.path !== 'extra' && loss.how !== 'invented')).toEqual([]);
	}
});
