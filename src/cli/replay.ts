/** `reprise replay SESSION`: a recorded session again, offline. The recording is the model, the tools are real. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentConfig, Prompt } from '../agent/config.ts';
import { type Recording, recordingOf } from '../agent/recording.ts';
import { newConversation, startRun } from '../agent/run.ts';
import type { ImageContent, TextContent } from '../codecs/openclaw/index.ts';
import { nodeHost } from '../host/node-host.ts';
import type { Block, Session } from '../model/index.ts';
import { replayProvider } from '../providers/offline-replay.ts';
import { createHandle } from '../store/create.ts';
import { InputError } from '../store/errors.ts';
import { sessionPath } from '../store/find-session.ts';
import { openSession } from '../store/open.ts';
import { type Compared, replayedTools } from '../tools/replayed.ts';
import type { Define } from './commands.ts';
import { print, printJson } from './print.ts';
import { sessionHelp } from './session-argument.ts';
import { steadyClock, steadyRandom } from './steady.ts';

interface Options {
	readonly project?: string;
	readonly out?: string;
	readonly keep?: boolean;
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
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nEvery tool result is compared with the recorded one; exit 1 when one differs.\n\nExample:\n  reprise replay samples/claude-code.jsonl',
		)
		.action(async (argument: string, options: Options) => {
			const done = await replay(sessionPath(argument), options);
			if (options.json) printJson(done);
			else print(await report(done));
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
	readonly firstDivergence?: Compared;
	readonly out?: string;
	readonly scratch?: string;
	readonly notes: readonly string[];
}

async function replay(path: string, options: Options): Promise<Replayed> {
	const session = await openSession(path, { subagents: false });
	const recording = recordingOf(session);
	if (recording.turns.length === 0)
		throw new InputError('empty', `${path} holds no prompt: there is nothing to replay`);
	const work = mkdtempSync(join(tmpdir(), 'reprise-replay-'));
	try {
		const notes: string[] = [];
		const scratch = copyProject(session, options, work, notes);
		const all: Compared[] = [];
		await play(session, recording, { scratch, work, all, ...(options.out ? { out: resolve(options.out) } : {}) });
		const different = all.filter(({ how }) => how === 'different');
		return {
			session: session.id,
			turns: recording.turns.length,
			calls: all.length,
			same: all.filter(({ how }) => how === 'same').length,
			different: different.length,
			recorded: all.filter(({ how }) => how === 'recorded').length,
			...(different[0] ? { firstDivergence: different[0] } : {}),
			...(options.out ? { out: resolve(options.out) } : {}),
			...(options.keep ? { scratch } : {}),
			notes,
		};
	} finally {
		if (!options.keep) rmSync(work, { recursive: true, force: true });
	}
}

function copyProject(session: Session, { project }: Options, work: string, notes: string[]): string {
	const scratch = join(work, 'project');
	const from = project === undefined ? session.header.cwd : resolve(project);
	if (from !== undefined && existsSync(from)) cpSync(from, scratch, { recursive: true, verbatimSymlinks: true });
	else {
		mkdirSync(scratch);
		if (project !== undefined) throw new InputError('missing', `${project} does not exist`);
		const where = from ?? '(not named by the session)';
		notes.push(
			`the project ${where} is not here: the tools work in an empty folder, so that reading anything differs. Name the project as it was before the session with --project FOLDER`,
		);
	}
	return scratch;
}

interface Stage {
	readonly scratch: string;
	readonly work: string;
	readonly out?: string;
	readonly all: Compared[];
}

/** The same recording gives the same entries: clock and ids come from the recording. */
async function play(session: Session, recording: Recording, { scratch, work, out, all }: Stage): Promise<void> {
	const now = steadyClock(session.header.created);
	const random = steadyRandom(session.id);
	const host = {
		...nodeHost(),
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
	const place = { format: session.format, recorded: session.header.cwd ?? '', scratch };
	const config: AgentConfig = {
		provider,
		model: model ?? 'recorded',
		system: session.header.systemPrompt ?? '',
		tools: replayedTools(recording, place, (one) => all.push(one)),
		cwd: scratch,
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

async function report(done: Replayed): Promise<string> {
	const { turns, calls, same, different, recorded, firstDivergence } = done;
	const lines = [
		...done.notes,
		`${number(turns, 'turn')}, ${number(calls, 'tool call')}: ${same} the same, ${different} different, ${recorded} taken from the recording`,
	];
	if (firstDivergence) lines.push('', await divergence(firstDivergence));
	if (done.out) lines.push(done.out);
	if (done.scratch) lines.push(done.scratch);
	return lines.join('\n');
}

function number(count: number, of: string): string {
	return `${count} ${of}${count === 1 ? '' : 's'}`;
}

async function divergence({ tool, call, input, expected, got }: Compared): Promise<string> {
	const { createTwoFilesPatch } = await import('diff');
	const patch = createTwoFilesPatch('recorded', 'now', `${expected}\n`, `${got}\n`, undefined, undefined, {
		context: 2,
	});
	const body = patch
		.split('\n')
		.filter((line) => !line.startsWith('='))
		.join('\n');
	return `first difference: ${tool} ${JSON.stringify(input).slice(0, 200)} (${call})\n${body.trimEnd()}`;
}
