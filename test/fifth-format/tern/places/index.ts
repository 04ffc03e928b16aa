/** Where Tern's sessions are. */
import { posix } from 'node:path';
import type { Machine } from '../../codec.ts';
import type { Format } from '../../shared/define.ts';
import { fileName } from '../../shared/places/file-name.ts';
import { usage } from './usage.ts';

const folderOf = ({ home, env }: Machine): string => posix.join(env.TERN_HOME ?? posix.join(home, '.tern'), 'sessions');

export const places: Format['places'] = {
	variables: ['TERN_HOME'],
	roots: (machine) => [folderOf(machine)],
	*sessions(machine, folders) {
		const folder = folderOf(machine);
		for (const { name } of folders.list(folder))
			if (name.endsWith('.jsonl')) yield { path: posix.join(folder, name), id: name.slice(0, -'.jsonl'.length) };
	},
	place: (machine, { id }) => posix.join(folderOf(machine), `${fileName(id)}.jsonl`),
	listing: { titles: ['{"tern":"title"'] },
	usage,
};
