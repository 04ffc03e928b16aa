/** `reprise rewind SESSION --to ENTRY`: the conversation goes on from an earlier entry. */
import { codecs } from '../codecs/index.ts';
import { prompted } from '../codecs/shared/read/prompt-words.ts';
import { openStory } from '../export/story-file.ts';
import { type Entry, entryText, isPrompt, type MessageEntry } from '../model/index.ts';
import { sessionPath } from '../store/find/find-session.ts';
import { openHandle } from '../store/handle/handle.ts';
import type { Define } from './commands.ts';
import { lossLines } from './losses.ts';
import { clip, oneLine, printJson, printProse } from './print.ts';
import { sessionHelp } from './session-argument.ts';

interface Options {
	readonly to: string;
	readonly json?: boolean;
}

const withoutBranches = codecs.filter(({ capabilities }) => capabilities.graph === 'line').map(({ name }) => name);

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.requiredOption('--to <entry>', 'the entry to go on from: its id or the beginning of it (show --ids lists them)')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nNothing is removed: what came after the entry stays in the file as a branch. Where the format has no branches\n' +
				`(${withoutBranches.join(', ')}), and where the client does not look behind a compaction that kept messages,\n` +
				'a new session is made that ends with the entry.\n\n' +
				'Example:\n  reprise rewind samples/openclaw.jsonl --to 2e337ae2',
		)
		.action(async (session: string, options: Options) => {
			await using handle = await openHandle(sessionPath(session, { writes: true }));
			const { leaf, path, id, fork } = await handle.rewind(options.to);
			if (options.json) printJson({ leaf, path, id, ...(fork ? { fork } : {}) });
			else if (fork) {
				const end = await endText(path);
				const why = `its client could not go back within this file, so a new session was made: ${id} ends ${end}`;
				printProse([why, ...fork.files, ...lossLines(fork.losses)].join('\n'));
			} else printProse(`${path} goes on ${await endText(path)}`);
		});
};

const longestPrompt = 60;

/** Where the conversation ends now, in words that its user knows: the leaf may be a mark that the client made. */
async function endText(path: string): Promise<string> {
	using story = await openStory(path);
	let prompts = 0;
	let prompt: MessageEntry | undefined;
	let last: Entry | undefined;
	for (let place = 0; place < story.length; place += 1) {
		const entry = story.entry(place);
		if (entry?.kind !== 'message') continue;
		last = entry;
		if (!isPrompt(entry)) continue;
		prompts += 1;
		prompt = entry;
	}
	if (!prompt) return 'before the first prompt';
	const words = clip(oneLine(prompted(entryText(prompt)).text), longestPrompt);
	const named = `prompt ${prompts}, “${words}”`;
	return last === prompt ? `with ${named} (entry ${prompt.id})` : `after ${named} (entry ${last?.id})`;
}
