/** Sessions that the real clients compacted, without their compactions. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { compactionView } from '../reader/compaction-view.ts';
import { contextOf } from '../reader/context.ts';
import { uncompactSession } from './uncompact.ts';

const cases = [
	['claude-code', '2.1.29', 'compact-manual'],
	['claude-code', '2.1.325', 'compact-manual'],
	['claude-code', '2.1.325', 'compact-auto'],
	['openclaw', 'pi-0.87.1', 'rpc-compaction'],
] as const;

it.each(cases)(
	'what the model had before the compaction of %s %s %s is what it begins with again',
	async (format, version, scenario) => {
		const file = corpusFiles(format).find((one) => one.path.includes(join(format, version, scenario)));
		if (!file) throw new Error(`the corpus has no ${scenario}`);
		using scratch = scratchMachine();
		const folder = join(scratch.root, 'sessions');
		mkdirSync(folder);
		const path = join(folder, basename(file.path));
		copyFileSync(file.path, path);
		const view = await compactionView(path);
		const made = await uncompactSession(path, undefined, { machine: scratch.machine });
		const now = contextOf(made.path).messages;
		expect(made.undone).toBe(1);
		const before = view?.before.messages ?? [];
		expect(before.length).toBeGreaterThan(2);
		// A client adds a line break to a text that another one follows, and joins what the same side said.
		expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
		expect(JSON.stringify(now)).toContain(JSON.stringify(before.at(-1)?.content).slice(1, -3));
	},
);
