/** What /resume, /rewind, /fork, /handoff, /export and /tree ask at the console, which command each choice becomes, and how an exported file is named. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { copiesOf } from '../../client/commands/builtin-moves.ts';
import { compact } from '../../model/index.ts';
import { glance } from '../../store/reader/glance.ts';
import { ageText } from '../screens/age.ts';
import { List, type ListItem, Pick } from '../screens/list.ts';
import type { RewindPrompt } from '../screens/rewind.ts';
import { pickRewind, promptsOf } from './rewind.ts';
import type { View } from './views.ts';

const mostWords = 6;
const longestName = 50;

/** By the name of the command. */
export const moves: { readonly [name: string]: View } = {
	async resume({ dialogs, client }) {
		const { pickSession } = await import('./resume.ts');
		const { handle, cwd } = client.station().session;
		const open = handle.leaf === null ? undefined : handle;
		const chosen = await pickSession(dialogs, { cwd, ...compact({ open }) });
		if (chosen === undefined || chosen === open?.path) return undefined;
		return { instead: chosen === 'new' ? '/clear' : `/resume ${chosen}` };
	},

	async rewind({ dialogs, client, write }) {
		const rewound = await pickRewind(dialogs, client);
		if (rewound?.prompt !== undefined) write(rewound.prompt);
		return rewound && { instead: rewound.command };
	},

	async fork({ dialogs, client, write }) {
		const { handle } = client.station().session;
		if (handle.leaf === null) return { instead: '/fork' };
		await handle.sync();
		const prompts = await promptsOf(handle.path);
		const here: ListItem<RewindPrompt | 'here'> = {
			value: 'here',
			label: 'From here: all that was said',
			paint: 'accent',
		};
		// Before the first prompt there is nothing to copy: /clear begins anew.
		const items = prompts
			.slice(1)
			.toReversed()
			.map((one) => ({ value: one, label: one.text, below: 'from before this prompt' }));
		const about = 'A copy goes on, and this session stays as it is.';
		const frame = { title: 'Fork', about, none: '', enter: 'go on from there' };
		const chosen = await dialogs.open(() => new Pick(frame, new List([here, ...items], { filters: true })));
		if (chosen === undefined) return undefined;
		if (chosen === 'here') return { instead: '/fork', shows: false };
		write(chosen.text);
		return { instead: `/fork ${chosen.id}` };
	},

	async handoff({ dialogs, client }) {
		const { handle } = client.station().session;
		if (handle.leaf === null) return { instead: '/handoff' };
		const { agents } = await import('../../move/agents.ts');
		const { agentOf } = await import('../../store/find/session-files.ts');
		const own = agentOf(handle.session.format, handle.path);
		const items = agents
			.filter(({ name }) => name !== own)
			.map(({ name, resume }) => ({
				value: name,
				label: name,
				below: `goes on with ${resume({ id: 'ID', cwd: '.', path: 'FILE' }).replace(/^cd \S+ && /, '')}`,
			}));
		const about =
			'The agent gets a copy, and the command that goes on with it there is shown. This session stays as it is.';
		const frame = { title: 'Hand off', about, none: '', enter: 'hand it over' };
		const chosen = await dialogs.open(() => new Pick(frame, new List<string>(items, { filters: true })));
		return chosen === undefined ? undefined : { instead: `/handoff ${chosen}` };
	},

	/** Of several copies, which one: the one that was written last first. */
	async return({ dialogs, client }) {
		const { handle } = client.station().session;
		const copies = await copiesOf(handle);
		if (copies.length < 2) return { instead: '/return' };
		const now = Date.now();
		const items = copies
			.map((copy) => ({ ...copy, written: statSync(copy.path, { throwIfNoEntry: false })?.mtimeMs }))
			.sort((a, b) => (b.written ?? 0) - (a.written ?? 0))
			.map(({ name, written }) => ({
				value: name,
				label: name,
				below: written === undefined ? 'not there any more' : `written last: ${ageText(written, now)}`,
			}));
		const about = 'What the copy was told since comes back into this session.';
		const frame = { title: 'Return', about, none: '', enter: 'bring it back' };
		const chosen = await dialogs.open(() => new Pick(frame, new List<string>(items, { filters: true })));
		return chosen === undefined ? undefined : { instead: `/return ${chosen}` };
	},

	/** All of it would fill the scrollback: a file is what its user wants. */
	async export({ client, write, tell }) {
		const { handle, cwd } = client.station().session;
		if (handle.leaf === null) return { instead: '/export' };
		await handle.sync();
		const { id, format } = handle.session;
		const title = glance({ path: handle.path, format })?.title ?? '';
		const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
		const name = words.slice(0, mostWords).join('-').slice(0, longestName) || id.slice(0, 8);
		const free = ['', '-2', '-3'].map((end) => `${name}${end}.md`).find((file) => !existsSync(join(cwd, file)));
		tell('Enter writes the session there as Markdown; another name may be typed.');
		write(`/export ${free ?? `${name}-${id.slice(0, 8)}.md`}`);
		return undefined;
	},

	async tree({ dialogs, client, write, tell }) {
		const { pickInTree } = await import('./tree.ts');
		const jump = await pickInTree(dialogs, client);
		if (!jump) return undefined;
		const isThere = jump.commands.length === 0;
		tell(
			isThere ? 'The conversation goes on from there already.' : 'Files stay as they are; /rewind can bring them back.',
		);
		if (jump.prompt !== undefined) write(jump.prompt);
		return isThere ? undefined : { instead: jump.commands, shows: true };
	},
};
