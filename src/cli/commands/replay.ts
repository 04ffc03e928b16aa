/** `reprise replay SESSION`: plays a recorded session again offline, in a copy of the project, and compares every tool result. Refused folders: replay-plan.ts. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentConfig, Prompt } from '../../agent/config.ts';
import { decide } from '../../agent/permissions/index.ts';
import { type Recording, recordingOf } from '../../agent/recording/recording.ts';
import { newConversation, startRun } from '../../agent/run.ts';
import { permissionsHere } from '../../client/permissions.ts';
import { fileView } from '../../host/file-view.ts';
import { nodeHost } from '../../host/node-host.ts';
import { type Block, countOf, type ImageContent, type Session, type TextContent } from '../../model/index.ts';
import { replayProvider } from '../../providers/offline-replay.ts';
import { secretNames } from '../../providers/secrets.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { createHandle } from '../../store/handle/create.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import { complain, print, printJson, printProse } from '../../terminal/print.ts';
import { confinedHost, moved, type ReplayPlace } from '../../tools/replay-place.ts';
import { type Compared, plannedCalls, replayedTools } from '../../tools/replayed.ts';
import { listed } from '../choices.ts';
import type { Define } from '../commands.ts';
import { steadyClock, steadyRandom } from '../deterministic.ts';
import { sessionHelp } from '../session-argument.ts';
import { agreed, copyProject, projectFor } from './replay-plan.ts';

interface Options {
	readonly project?: string;
	readonly out?: string;
	readonly keep?: boolean;
	readonly yes?: boolean;
	readonly disallowedTools?: readonly string[];
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option(
			'--project <folder>',
			'the project as it was before the session; default: the folder that the session names',
		)
		.option('-o, --out <path>', 'keep the session that the replay writes, in this file')
		.option('--keep', 'keep the scratch copy of the project')
		.option('-y, --yes', 'do not ask; for scripts')
		.option('--disallowedTools <rules...>', 'what is not done again, such as "Bash(curl:*)"', listed)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nWhat will be run and written is shown first, and done only when you agree. Files are those of a scratch copy of\n' +
				'the project: calls that name others are not made, and their recorded results are taken. Commands start in the copy\n' +
				'and take it for their home, but they are not confined to it.\n\n' +
				'Every tool result is compared with the recorded one; exit 1 when one differs.\n\nExample:\n  reprise replay samples/claude-code.jsonl',
		)
		.action(async (argument: string, options: Options) => {
			const done = await replay(sessionPath(argument), options);
			if (!done) {
				outcome.code = 1;
				complain('nothing was run');
				return;
			}
			if (options.json) printJson(done);
			else {
				printProse(report(done));
				if (done.firstDivergence) await printDivergence(done.firstDivergence);
			}
			if (done.different > 0) outcome.code = 1;
		});
};

interface Replayed {
	readonly session: string;
	readonly turns: number;
	readonly calls: number;
	readonly same: number;
	readonly different: number;
	/** Calls of tools that Reprise does not have: their recorded results were taken. */
	readonly recorded: number;
	/** Calls that were not made, and why: their recorded results were taken, too. */
	readonly refused: readonly { readonly call: string; readonly tool: string; readonly reason: string }[];
	readonly firstDivergence?: Compared;
	readonly out?: string;
	readonly scratch?: string;
	readonly notes: readonly string[];
}

/** Undefined when the user did not agree. */
async function replay(path: string, options: Options): Promise<Replayed | undefined> {
	const session = await openSession(path, { subagents: false });
	const recording = recordingOf(session);
	if (recording.turns.length === 0)
		throw new InputError('empty', `${path} holds no prompt: there is nothing to replay`);
	const work = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-replay-')));
	try {
		const scratch = join(work, 'project');
		const place = placeFor(session, scratch, options);
		const from = projectFor(session.header.cwd, options.project);
		const planned = await plannedCalls(recording, place);
		if (!(await agreed(planned, from ?? 'no project', options.yes ?? false))) return undefined;
		const passed = copyProject(from, scratch);
		const notes = from === undefined ? [missingProject(session.header.cwd)] : passed;
		const all: Compared[] = [];
		const { out } = options;
		await play(session, recording, { place, work, all, ...(out ? { out: resolve(out) } : {}) });
		return { ...summary(session, recording, all), ...kept(options, scratch), notes };
	} finally {
		if (!options.keep) rmSync(work, { recursive: true, force: true });
	}
}

function missingProject(from = '(not named by the session)'): string {
	return `the project ${from} is not here: the tools work in an empty folder, so that reading anything differs. Name the project as it was before the session with --project FOLDER`;
}

function summary(session: Session, recording: Recording, all: readonly Compared[]): Omit<Replayed, 'notes'> {
	const such = (how: Compared['how']): readonly Compared[] => all.filter((one) => one.how === how);
	const [firstDivergence] = such('different');
	return {
		session: session.id,
		turns: recording.turns.length,
		calls: all.length,
		same: such('same').length,
		different: such('different').length,
		recorded: such('recorded').length,
		refused: such('refused').map(({ call, tool, got }) => ({ call, tool, reason: got })),
		...(firstDivergence ? { firstDivergence } : {}),
	};
}

function kept({ out, keep }: Options, scratch: string): Pick<Replayed, 'out' | 'scratch'> {
	return { ...(out ? { out: resolve(out) } : {}), ...(keep ? { scratch } : {}) };
}

/** The copy, and the rules that hold in it: the session's author has agreed to every call, its user has not. */
function placeFor(session: Session, scratch: string, options: Options): ReplayPlace {
	const { deny } = permissionsHere(options, process.cwd()).rules;
	return {
		format: session.format,
		recorded: session.header.cwd ?? '',
		scratch,
		async denied(tool, input, cwd) {
			const rules = { allow: [], ask: [], deny };
			const here = { mode: 'bypassPermissions', cwd, dirs: [], home: homedir(), files: fileView } as const;
			const { decision, reason, rule } = await decide({ tool: tool.name, input }, { ...here, rules });
			return decision === 'deny' ? `${reason} (${rule})` : undefined;
		},
	};
}

interface Stage {
	readonly place: ReplayPlace;
	readonly work: string;
	readonly out?: string;
	readonly all: Compared[];
}

/** The same recording gives the same entries: clock and ids come from the recording. */
async function play(session: Session, recording: Recording, { place, work, out, all }: Stage): Promise<void> {
	const { scratch } = place;
	const now = steadyClock(session.header.created);
	const random = steadyRandom(session.id);
	const host = {
		...confinedHost(nodeHost(), scratch, secretNames(process.env)),
		now,
		randomHex: (digits: number) =>
			random(Math.ceil(digits / 2))
				.toString('hex')
				.slice(0, digits),
	};
	const provider = replayProvider(now);
	const { model, gitBranch } = session.header;
	await using handle = await createHandle({
		format: session.format,
		cwd: session.header.cwd ?? scratch,
		...(out ? { path: out } : { home: join(work, 'home') }),
		header: { ...(model === undefined ? {} : { model }), ...(gitBranch === undefined ? {} : { gitBranch }) },
		now,
		random,
	});
	const config: AgentConfig = {
		provider,
		model: model ?? 'recorded',
		system: session.header.systemPrompt ?? '',
		tools: replayedTools(recording, place, (one) => all.push(one)),
		cwd: scratch,
		...(place.recorded === '' ? {} : { toldFolder: (folder) => moved(folder, scratch, place.recorded) as string }),
		mode: 'bypassPermissions',
		host,
	};
	const conversation = newConversation();
	for (const { prompt, replies } of recording.turns) {
		provider.play(replies);
		await startRun(handle, conversation, promptOf(prompt.content), config).result;
	}
}

function promptOf(content: readonly Block[]): Prompt {
	return content.flatMap((block): readonly (TextContent | ImageContent)[] => {
		if (block.type === 'image' && 'base64' in block.data) {
			return [{ type: 'image', data: block.data.base64, mimeType: block.mime }];
		}
		return block.type === 'text' || block.type === 'file' ? [{ type: 'text', text: block.text }] : [];
	});
}

function report(done: Replayed): string {
	const { turns, calls, same, different, recorded } = done;
	const lines = [
		...done.notes,
		...done.refused.map(({ tool, reason }) => `not done: ${tool}: ${reason}`),
		`${countOf(turns, 'turn')}, ${countOf(calls, 'tool call')}: ${same} the same, ${different} different, ${recorded + done.refused.length} taken from the recording`,
	];
	if (done.out) lines.push(done.out);
	if (done.scratch) lines.push(done.scratch);
	return lines.join('\n');
}

async function printDivergence({ tool, call, input, expected, got }: Compared): Promise<void> {
	const { createTwoFilesPatch } = await import('diff');
	const patch = createTwoFilesPatch('recorded', 'now', `${expected}\n`, `${got}\n`, undefined, undefined, {
		context: 2,
	});
	const body = patch
		.split('\n')
		.filter((line) => !line.startsWith('='))
		.join('\n');
	printProse(`\nfirst difference: ${tool} ${JSON.stringify(input).slice(0, 200)} (${call})`);
	print(body.trimEnd());
}
