/** The scanner alone: how much cheaper is it to find the envelope fields than to parse every line? */
import { openFile } from '../src/log/file-source.ts';
import { FieldFinder, scanLines } from '../src/scan/index.ts';
import type { Benchmark, Group, Variant } from './lib/bench.ts';
import { parseBound, readBound } from './lib/bounds.ts';
import type { DatasetOptions } from './lib/dataset.ts';

const claudeFields = [
	'type',
	'subtype',
	'uuid',
	'parentUuid',
	'logicalParentUuid',
	'timestamp',
	'isSidechain',
	'requestId',
	'message.id',
	'message.role',
	'message.model',
	'message.usage',
];
const piFields = ['type', 'id', 'parentId', 'timestamp', 'message.role', 'message.model', 'message.usage'];

/** Counts the lines that are not in doubt and have a type. */
function scanFor(fields: readonly string[]): Variant {
	return {
		name: `scan for ${fields.length} fields`,
		goal: { ratio: 0.5 },
		run({ files }) {
			const finder = new FieldFinder(fields);
			let lines = 0;
			for (const path of files) {
				using source = openFile(path);
				scanLines(source, (line) => {
					if (finder.look(line) === 'sure' && finder.scalar(0) !== undefined) lines += 1;
				});
			}
			return lines;
		},
	};
}

const group = (title: string, data: DatasetOptions, fields: readonly string[]): Group => ({
	title,
	data,
	variants: [parseBound, readBound, scanFor(fields)],
});

export const benchmark: Benchmark = {
	title: 'Scanner',
	about:
		'Finding line bounds and envelope fields without parsing, reading included. The scanner looks at structure and leaves ' +
		'validity to whoever parses a line.',
	groups: [
		group('Claude Code sessions', { format: 'claude-code', mb: 100, sessions: 120 }, claudeFields),
		group('pi sessions', { format: 'openclaw', mb: 100, sessions: 120, seed: 2 }, piFields),
	],
};
