/** One run of `reprise -p` from its checks to its end: their order, and who is asked. */
import { Client } from '../../client/client.ts';
import { asksModel } from '../../client/commands/carry-out.ts';
import { wantsToGoOn } from '../../client/goes-on.ts';
import { addedFolders, flagRules } from '../../client/permissions.ts';
import { placeHere } from '../../client/place-here.ts';
import { openClientSession } from '../../client/session.ts';
import { errorText } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { complain } from '../../terminal/prose.ts';
import { askGoesOn, canAsk } from '../ask/ask.ts';
import { elicitOnTerminal } from '../ask/ask-elicitation.ts';
import { askOnTerminal } from '../ask/ask-permission.ts';
import { askTrust } from '../ask/ask-trust.ts';
import type { FrameOutput } from '../driven/frame-output.ts';
import type { Serving } from '../driven/serving.ts';
import type { ExitCode } from '../main.ts';
import { version } from '../version.ts';
import { whichText } from '../which-session.ts';
import { askByTool } from './ask-by-tool.ts';
import { exitCodeOf } from './client-ending.ts';
import type { CommandOptions } from './client-flags.ts';
import { frameOutput, outputFor } from './client-output.ts';
import { nothingToDo, promptOf } from './client-prompts.ts';

export async function answerPrompts(
	words: string,
	options: CommandOptions,
	notes: readonly string[],
): Promise<ExitCode> {
	if (options.inputFormat === 'stream-json' && options.outputFormat !== 'stream-json') {
		throw new InputError('usage', '--input-format stream-json needs --output-format stream-json');
	}
	const frames = options.outputFormat === 'stream-json' ? await frameOutput(options) : undefined;
	try {
		return await answers(words, options, notes, frames);
	} catch (error) {
		frames?.failed(toldToHost(error, options.resume));
		throw error;
	}
}

/** Hosts know a session that is not there by Claude Code's own words. */
function toldToHost(error: unknown, resume: CommandOptions['resume']): string {
	if (error instanceof InputError && error.rule === 'missing' && typeof resume === 'string')
		return `No conversation found with session ID: ${resume}`;
	return errorText(error);
}

async function answers(
	words: string,
	options: CommandOptions,
	notes: readonly string[],
	frames: FrameOutput | undefined,
): Promise<ExitCode> {
	const driven = options.inputFormat === 'stream-json';
	const output = await outputFor(options, frames);
	// Before anything else: what is wrong with the prompt is said before a session is opened.
	const single = driven ? undefined : await promptOf(words, (text) => output.note(text));
	const mayWait = options.continue === true || options.resume !== undefined;
	if (!driven && single === undefined && !mayWait) throw nothingToDo();
	flagRules(options);
	addedFolders(options);
	await using session = await openClientSession(options, process.cwd());
	if (!driven && single === undefined && !session.conversation.deferred) throw nothingToDo();
	const unnamed = options.continue || options.resume === 'last';
	if (unnamed && session.found !== undefined && (options.outputFormat ?? 'text') === 'text') {
		complain(`going on with ${whichText(session.found)}`);
	}
	frames?.open(session.handle.session.id, session.handle.path, options.forkSession === true);
	for (const note of notes) output.note(note, 'flag_without_effect');
	const attended = canAsk() && frames === undefined;
	const place = await placeHere(options, session.cwd, attended ? askTrust : undefined);
	if (attended && asksModel(single ?? '', place.commands.list) && !(await wantsToGoOn(session, options, askGoesOn)))
		return 1;
	await using client = await Client.start({
		...{ options, session, ...place, listener: output, first: single, stays: driven, version: version() },
		...(attended && { attend: (mode) => ({ ask: askOnTerminal(session.cwd, mode), elicit: elicitOnTerminal }) }),
	});
	const { permissionPromptTool: asked = 'stdio' } = options;
	if (asked !== 'stdio') client.attend({ ...client.attendants, ask: askByTool(asked, () => client.withServers()) });
	using serving = frames && driven ? await servingOf(client, frames, options) : undefined;
	const code = serving ? await serving.run() : exitCodeOf(await client.answer(single));
	// Hooks of the host hear of it: until the session is left, the wire to it is open.
	await client.leave();
	output.end();
	return code;
}

/** Prompts from another process, until it ends them. */
async function servingOf(client: Client, frames: FrameOutput, options: CommandOptions): Promise<Serving> {
	const { Serving } = await import('../driven/serving.ts');
	return new Serving(client, frames, options);
}
