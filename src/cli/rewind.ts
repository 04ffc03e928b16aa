/** `reprise rewind SESSION --to ENTRY`: the conversation, the files or both go back to an earlier entry. */
import { codecs } from '../codecs/index.ts';
import { prompted } from '../codecs/shared/read/prompt-words.ts';
import { openStory } from '../export/story-file.ts';
import { type Entry, entryText, isPrompt, type MessageEntry } from '../model/index.ts';
import type { RewindDone } from '../store/checkpoints/carry-out.ts';
import { sessionPath } from '../store/find/find-session.ts';
import { askYesNo, canAsk } from './ask.ts';
import type { Define } from './commands.ts';
import { lossLines } from './losses.ts';
import type { ExitCode } from './main.ts';
import { clip, complain, oneLine, print, printJson, printProse } from './print.ts';
import { sessionHelp } from './session-argument.ts';

interface Options {
	readonly to?: string;
	readonly files?: boolean;
	readonly onlyFiles?: boolean;
	readonly undo?: boolean;
	readonly dryRun?: boolean;
	readonly yes?: boolean;
	readonly conflicts?: string;
	readonly cwd?: string;
	readonly json?: boolean;
}

const withoutBranches = codecs.filter(({ capabilities }) => capabilities.graph === 'line').map(({ name }) => name);

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('--to <entry>', 'the entry to go on from: its id or the beginning of it (show --ids lists them)')
		.option('--files', 'restore the files as well, as they were at that entry')
		.option('--only-files', 'restore the files, and leave the conversation where it is')
		.option('--undo', 'undo the last rewind of this session')
		.option('--dry-run', 'only show what would change, with the difference of every file')
		.option('-y, --yes', 'do not ask; files that somebody else has changed need --conflicts all the same')
		.option('--conflicts <how>', 'files that somebody else has changed: keep, or overwrite')
		.option('--cwd <folder>', 'the folder of the session’s project, if it is another one now')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nNothing is removed: what came after the entry stays in the file as a branch. Where the format has no branches\n' +
				`(${withoutBranches.join(', ')}), and where the client does not look behind a compaction that kept messages,\n` +
				'a new session is made that ends with the entry.\n\n' +
				'Files are restored as they were before what came after the entry, also those that shell commands changed.\n' +
				'A file that is not as the session left it is never replaced without a question, and a rewind can be undone.\n' +
				'One that was killed half-way is finished by the next: reprise rewind SESSION.\n\n' +
				'Examples:\n  reprise rewind samples/openclaw.jsonl --to 2e337ae2\n' +
				'  reprise rewind last --to 5f2c --files --dry-run\n  reprise rewind last --undo',
		)
		.action(async (session: string, options: Options) => {
			const problem = wrongUsage(options);
			if (problem === undefined) outcome.code = await rewind(sessionPath(session, { writes: true }), options);
			else {
				outcome.code = 2;
				complain(problem);
			}
		});
};

function wrongUsage({ to, undo, conflicts, files, onlyFiles }: Options): string | undefined {
	if (to !== undefined && undo) return '--to and --undo are two different rewinds: use one of them';
	if (files && onlyFiles) return '--files and --only-files are two different rewinds: use one of them';
	if (conflicts !== undefined && conflicts !== 'keep' && conflicts !== 'overwrite')
		return `--conflicts is keep or overwrite, not ${conflicts}`;
	return undefined;
}

async function rewind(path: string, options: Options): Promise<ExitCode> {
	// Planning judges commands by the permission rules: that is loaded only here.
	const [planning, running] = await Promise.all([
		import('../client/plan-rewind.ts'),
		import('../store/checkpoints/carry-out.ts'),
	]);
	const { place, pending } = await planning.rewindPlace(path);
	if (pending && !options.dryRun) {
		const done = await running.finishRewind(place, pending);
		complain(`the rewind ${pending.id} of this session was not finished: it is now`);
		const isWanted = options.to === undefined ? !options.undo : pending.at?.startsWith(options.to);
		if (isWanted) return await show(done, path, options);
	} else if (pending) complain(`the rewind ${pending.id} of this session is not finished: reprise rewind finishes it`);
	if (options.to === undefined && !options.undo) {
		complain('where to? --to ENTRY goes back to an entry (show --ids lists them), --undo undoes the last rewind');
		return 2;
	}
	const files = options.files === true || options.onlyFiles === true || options.undo === true;
	if (!files && options.to !== undefined && !options.dryRun) {
		return await show(
			{ id: '', restored: [], kept: [], conversation: await running.rewindConversation(place, options.to) },
			path,
			options,
		);
	}
	const plan = await planning.planRewind({
		path,
		files,
		conversation: !options.onlyFiles,
		cwd: process.cwd(),
		...(options.to === undefined ? {} : { to: options.to }),
		...(options.cwd === undefined ? {} : { folder: options.cwd }),
	});
	const { planJson, planText } = await import('./rewind-plan.ts');
	if (options.dryRun) {
		if (options.json) printJson(planJson(plan, true));
		else print(planText(plan, { diff: true }));
		return 0;
	}
	const answer = await agreed(planText(plan, { diff: false }), plan, path, options);
	if (typeof answer === 'number') return answer;
	const order = planning.orderOf(plan, answer.overwrite);
	if (order.to === undefined && order.changes.length === 0) return nothing(path, options);
	const done = await running.carryOut(place, order);
	return await show(done, path, options, plan.missed.length + plan.unknownCommands.length);
}

interface Asked {
	readonly files: readonly { readonly conflict?: string; readonly stays?: true; readonly path: string }[];
}

/** What the user wants, or the exit code where nothing is to be done. */
async function agreed(
	text: string,
	{ files }: Asked,
	path: string,
	options: Options,
): Promise<ExitCode | { readonly overwrite: boolean }> {
	const { yes, conflicts } = options;
	const open = files.filter(({ conflict, stays }) => conflict !== undefined && !stays);
	const asks = (!yes && files.length > 0) || (open.length > 0 && conflicts === undefined && canAsk());
	if (asks) complain(text.trimEnd());
	if (open.length > 0 && conflicts === undefined && !canAsk()) {
		for (const file of open) complain(`${file.path}: ${file.conflict}`);
		complain('nothing was changed: --conflicts keep leaves these files alone, --conflicts overwrite replaces them');
		return 1;
	}
	if (!yes && files.length > 0) {
		if (!canAsk()) {
			complain('rewind asks before it changes files, and there is nobody to ask: add --yes, or --dry-run to look');
			return 2;
		}
		if (!(await askYesNo(`Restore ${count(files.length - open.length)}?`))) return nothing(path, options);
	}
	if (open.length === 0 || conflicts !== undefined) return { overwrite: conflicts === 'overwrite' };
	return { overwrite: await askYesNo(`Overwrite ${count(open.length)} that somebody else has changed, too?`) };
}

function nothing(path: string, { json }: Options): ExitCode {
	if (json) printJson({ path, files: { checkpoint: null, restored: [], kept: [] } });
	else printProse('nothing was changed');
	return 0;
}

function count(files: number): string {
	return files === 1 ? '1 file' : `${files} files`;
}

async function show(
	{ id, restored, kept, conversation }: RewindDone,
	path: string,
	options: Options,
	missed = 0,
): Promise<ExitCode> {
	for (const change of kept) complain(`${change.path} was changed meanwhile: it is left as it is`);
	if (options.json) {
		const { leaf, path: at = path, id: session, fork } = conversation ?? {};
		const files = {
			checkpoint: id,
			restored: restored.map((change) => change.path),
			kept: kept.map((change) => change.path),
		};
		printJson({ leaf, path: at, id: session, ...(fork ? { fork } : {}), ...(id === '' ? {} : { files }) });
		return 0;
	}
	if (id !== '' && (restored.length > 0 || !conversation)) {
		const rest = missed > 0 ? '; --dry-run says what could not be brought back' : '';
		printProse(`${count(restored.length)} restored (checkpoint ${id}); reprise rewind SESSION --undo undoes it${rest}`);
	}
	if (conversation?.fork) {
		const { fork, id: made } = conversation;
		const why = `its client could not go back within this file, so a new session was made: ${made} ends ${await endText(conversation.path)}`;
		printProse([why, ...fork.files, ...lossLines(fork.losses)].join('\n'));
	} else if (conversation) printProse(`${conversation.path} goes on ${await endText(conversation.path)}`);
	return 0;
}

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
