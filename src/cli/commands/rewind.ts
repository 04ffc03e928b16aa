/** `reprise rewind SESSION --to ENTRY`: flags, when it asks and when it refuses (conflicts, nobody to ask), and what is said afterwards. The plan: src/client/plan-rewind.ts. */
import { lossLines } from '../../client/loss-words.ts';
import { codecs } from '../../codecs/index.ts';
import { prompted } from '../../codecs/shared/read/prompt-words.ts';
import { openStory } from '../../export/story-file.ts';
import { countOf, type Entry, entryText, isPrompt, type MessageEntry } from '../../model/index.ts';
import { quoted } from '../../model/quoted.ts';
import type { RewindDone } from '../../store/checkpoints/carry-out-rewind.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { clip, complain, oneLine, print, printJson, printProse } from '../../terminal/print.ts';
import { askYesNo, canAsk } from '../ask/ask.ts';
import type { Define } from '../commands.ts';
import type { ExitCode } from '../main.ts';
import { sessionHelp } from '../session-argument.ts';

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

/** The session as the user has named it. */
interface Named {
	readonly session: string;
}

const withoutBranches = codecs.filter(({ capabilities }) => capabilities.graph === 'line').map(({ name }) => name);

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option(
			'--to <entry>',
			'a prompt, to go on from before it and say it anew, or another entry, to go on from it: its id or the beginning of it (show --ids lists them)',
		)
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
			'\nA prompt is taken back, and printed so that it can be edited and sent again; a reply or a result stays. Nothing is\n' +
				'removed: what is taken back stays in the file as a branch. Where the format has no branches\n' +
				`(${withoutBranches.join(', ')}), and where the client does not look behind a compaction that kept messages,\n` +
				'a new session is made that ends there.\n\n' +
				'Files are restored as they were before what came after the entry, also those that shell commands changed.\n' +
				'A file that is not as the session left it is never replaced without a question, and a rewind can be undone.\n' +
				'One that was killed half-way is finished by the next: reprise rewind SESSION.\n\n' +
				'Examples:\n  reprise rewind samples/openclaw.jsonl --to 2e337ae2\n' +
				'  reprise rewind last --to 5f2c --files --dry-run\n  reprise rewind last --undo',
		)
		.action(async (session: string, options: Options) => {
			const problem = wrongUsage(options);
			if (problem === undefined)
				outcome.code = await rewind(sessionPath(session, { writes: true }), { ...options, session });
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

async function rewind(path: string, options: Options & Named): Promise<ExitCode> {
	// Planning judges commands by the permission rules: that is loaded only here.
	const [planning, running] = await Promise.all([
		import('../../client/plan-rewind.ts'),
		import('../../store/checkpoints/carry-out-rewind.ts'),
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
	const { planJson, planText } = await import('./rewind-words.ts');
	if (options.dryRun) {
		if (options.json) printJson(planJson(plan));
		else print(planText(plan, { diff: true }));
		return 0;
	}
	const answer = await agreed(planText(plan, { diff: false }), plan, path, options);
	if (typeof answer === 'number') return answer;
	const order = planning.orderOf(plan, answer.overwrite);
	const { notCoveredLines } = await import('../../client/not-covered.ts');
	const { missed, unknownCommands, ignored } = plan;
	const open = { lines: answer.told ? [] : notCoveredLines(plan), json: { missed, unknownCommands, ignored } };
	if (order.to === undefined && order.changes.length === 0) return nothing(path, options, open);
	return await show(await running.carryOut(place, order), path, options, open);
}

/** What could not be brought back: for the user, who may have seen it with the question, and for a program. */
interface Open {
	readonly lines: readonly string[];
	readonly json: object;
}

const allCovered: Open = { lines: [], json: {} };

interface Asked {
	readonly files: readonly { readonly conflict?: string; readonly path: string }[];
}

/** What the user wants, or the exit code where nothing is to be done. */
async function agreed(
	text: string,
	{ files }: Asked,
	path: string,
	options: Options,
): Promise<ExitCode | { readonly overwrite: boolean; readonly told: boolean }> {
	const { yes, conflicts } = options;
	const open = files.filter(({ conflict }) => conflict !== undefined);
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
		if (!(await askYesNo(`Restore ${countOf(files.length - open.length, 'file')}?`))) return nothing(path, options);
	}
	if (open.length === 0 || conflicts !== undefined) return { overwrite: conflicts === 'overwrite', told: asks };
	const overwrite = await askYesNo(`Overwrite ${countOf(open.length, 'file')} that somebody else has changed, too?`);
	return { overwrite, told: asks };
}

function nothing(path: string, { json }: Options, open = allCovered): ExitCode {
	if (json) printJson({ path, files: { checkpoint: null, restored: [], kept: [] }, ...open.json });
	else printProse(['nothing was changed', ...open.lines].join('\n'));
	return 0;
}

async function show(
	{ id, restored, kept, conversation }: RewindDone,
	path: string,
	options: Options & Named,
	open = allCovered,
): Promise<ExitCode> {
	for (const change of kept) complain(`${change.path} was changed meanwhile: it is left as it is`);
	if (options.json) {
		const { leaf, path: at = path, id: session, fork, prompt } = conversation ?? {};
		const taken = prompt ? { prompt: prompted(entryText(prompt)).text } : {};
		const files = {
			checkpoint: id,
			restored: restored.map((change) => change.path),
			kept: kept.map((change) => change.path),
		};
		printJson({
			leaf,
			path: at,
			id: session,
			...taken,
			...(fork ? { fork } : {}),
			...(id === '' ? {} : { files, ...open.json }),
		});
		return 0;
	}
	if (id !== '' && (restored.length > 0 || !conversation)) {
		printProse(
			`${countOf(restored.length, 'file')} restored (checkpoint ${id}); reprise rewind ${quoted(options.session)} --undo undoes it`,
		);
	}
	if (open.lines.length > 0) printProse(open.lines.join('\n'));
	if (conversation?.fork) {
		const { fork, id: made } = conversation;
		const why = `its client could not go back within this file, so a new session was made: ${made} ${await endText(conversation.path, 'ends')}`;
		printProse([why, ...fork.files, ...lossLines(fork.losses)].join('\n'));
	} else if (conversation) printProse(`${conversation.path} ${await endText(conversation.path, 'goes on')}`);
	if (conversation?.prompt) {
		printProse('\ntaken back, to be edited and sent again:');
		print(prompted(entryText(conversation.prompt)).text);
	}
	return 0;
}

const longestPrompt = 60;

/** Where the conversation ends now, in words that its user knows: the leaf may be a mark that the client made. */
async function endText(path: string, verb: 'ends' | 'goes on'): Promise<string> {
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
	if (!prompt && verb === 'ends') return 'is empty, because nothing was said before; reprise -c -p "…" goes on in it';
	if (!prompt) return 'begins anew: nothing was said before';
	const words = clip(oneLine(prompted(entryText(prompt)).text), longestPrompt);
	const named = `prompt ${prompts}, “${words}”`;
	return `${verb} ${last === prompt ? `with ${named} (entry ${prompt.id})` : `after ${named} (entry ${last?.id})`}`;
}
