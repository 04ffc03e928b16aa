/** The data of the rewind dialog: which prompts can be gone back to, and what that would do to files. Its look: screens/rewind.ts. */
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { planRewind } from '../../client/plan-rewind.ts';
import { rewindLines } from '../../client/rewind-diff.ts';
import { prompted } from '../../codecs/index.ts';
import { compact, entryText, turns } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import type { Dialogs } from '../dialogs.ts';
import { type RewindAnswer, type RewindChanges, type RewindPrompt, RewindScreen } from '../screens/rewind.ts';

/** So long nothing is planned before the next prompt that nobody has asked about. */
const restMs = 15;

export interface Rewound {
	/** The command that does it. */
	readonly command: string;
	/** The prompt that is taken back, where the conversation goes back. */
	readonly prompt?: string;
}

export async function pickRewind(dialogs: Dialogs, client: Client): Promise<Rewound | undefined> {
	const { handle, cwd } = client.station().session;
	await handle.sync();
	const prompts = handle.leaf === null ? [] : await promptsOf(handle.path);
	let took = 0;
	const answer = await dialogs.open<RewindAnswer>(() => new RewindScreen(prompts, Date.now()), {
		serve: async ({ of }, screen) => {
			if (!(screen instanceof RewindScreen)) return screen;
			// Keys come first, and longer where reading the session holds them up.
			if (!screen.isSelected(of)) await sleep(restMs + took);
			const began = performance.now();
			const changes = await changesAt(of, handle.path, cwd);
			took = performance.now() - began;
			return screen.withChanges(of, changes);
		},
	});
	if (!answer) return undefined;
	const flag = answer.files ? (answer.conversation ? ' --files' : ' --only-files') : '';
	const prompt = answer.conversation ? prompts.find(({ id }) => id === answer.to)?.text : undefined;
	return { command: `/rewind ${answer.to}${flag}`, ...compact({ prompt }) };
}

/** The prompts of the conversation, oldest first. */
export async function promptsOf(path: string): Promise<readonly RewindPrompt[]> {
	const session = await openSession(path, { subagents: false });
	return turns(session)
		.flatMap(({ prompt }) => (prompt ? [{ prompt, ...prompted(entryText(prompt)) }] : []))
		.filter(({ isOutput }) => !isOutput)
		.map(({ prompt, text }) => ({
			id: prompt.id,
			text,
			...(prompt.time !== undefined && { time: Date.parse(prompt.time) }),
		}));
}

async function changesAt(to: string, path: string, cwd: string): Promise<RewindChanges> {
	try {
		const plan = await planRewind({ path, to, cwd, files: true, conversation: true });
		const { files, missed, unknownCommands } = plan;
		const commands = unknownCommands.map((command) => `What this command changed is not known: ${command}`);
		return {
			files: files.map((file) => ({
				path: relative(cwd, file.path) || file.path,
				...rewindLines(file, plan),
				...compact({ conflict: file.conflict }),
			})),
			warnings: [...missed, ...commands],
		};
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return { files: [], warnings: [error.message] };
	}
}
