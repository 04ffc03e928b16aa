/** Carries out a built-in command that a prompt calls, and says what is wrong with a call that means nothing; how much of what it said the session keeps. No model is asked. */
import type { Prompt, RunResult } from '../../agent/config.ts';
import { textOf } from '../../agent/recording/blocks.ts';
import { calledCommand } from '../../agent/recording/local-command.ts';
import { resumeConversation } from '../../agent/recording/resume.ts';
import { compact, noUsage, shortened } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { type ChosenModel, chooseModel, missingModel } from '../model.ts';
import type { ClientOptions } from '../options.ts';
import type { PermissionsHere } from '../permissions.ts';
import type { ClientSession } from '../session.ts';
import type { Done, Station } from './builtin-command.ts';
import { builtinNames, builtins } from './builtins.ts';
import { calledIn, isPlace, named, nearNames } from './called.ts';
import type { Definition } from './definitions.ts';

/** What came of a command, and the session or model that it has put in place of the one before. */
export interface Commanded {
	readonly result: RunResult;
	readonly session?: ClientSession;
	readonly model?: ChosenModel;
	readonly goesOn?: string;
}

/** Undefined where the prompt is one for the model. */
export async function carryOut(prompt: Prompt, at: Station): Promise<Commanded | undefined> {
	const called = calledIn(prompt);
	if (!called) return undefined;
	const offered = at.servers?.prompts ?? [];
	if (asksModel(prompt, at.commands) && (!called.name.startsWith('mcp__') || offered.includes(called.name))) {
		const problem = wrongCall(called.name, at);
		return problem === undefined ? undefined : { result: resultOf({ problem }) };
	}
	if (at.waited) await dequeue(at.session);
	const run = builtins.find(({ name }) => name === called.name)?.run;
	if (!run) return { result: resultOf({ problem: unknownText(called.name, at) }) };
	if (textOf(prompt).trim().includes('\n')) return { result: resultOf({ problem: severalLines(called.name) }) };
	const began = Date.now();
	try {
		const done = await run(called.args, at);
		const { session, model, goesOn, text } = done;
		await record(called.name, called.args, done, session ?? at.session);
		return { ...compact({ session, model, goesOn }), result: resultOf({ text, durationMs: Date.now() - began }) };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		// Its path says less to whoever has it open.
		const problem = error.message.replaceAll(at.session.handle.path, 'this session');
		return { result: resultOf({ problem: `/${called.name}: ${problem}` }) };
	}
}

async function dequeue({ handle }: ClientSession): Promise<void> {
	if (handle.leaf !== null) await handle.append({ kind: 'event', event: { type: 'queue', operation: 'dequeue' } });
}

/** Closes a session that another one takes the place of. */
export async function leaveFor(before: ClientSession, next: ClientSession | undefined): Promise<ClientSession> {
	if (!next || next === before) return before;
	await before[Symbol.asyncDispose]();
	return next;
}

/** False for a prompt that is carried out, or refused, without a model. */
export function asksModel(prompt: Prompt, commands: readonly Definition[]): boolean {
	const called = calledIn(prompt);
	if (!called) return true;
	const builtin = builtins.find(({ name }) => name === called.name);
	if (builtin) return builtin.run === undefined;
	return called.name.startsWith('mcp__') || named(called.name, commands) !== undefined || isPlace(called);
}

/** A built-in command asks nobody, and needs no model that is set up; neither does a call that means nothing. */
export async function modelFor(
	prompt: Prompt | undefined,
	options: ClientOptions,
	{ resumed }: ClientSession,
	permissions: PermissionsHere,
	commands: readonly Definition[],
): Promise<ChosenModel> {
	try {
		return await chooseModel(options, resumed, permissions);
	} catch (error) {
		if (!(error instanceof InputError) || error.rule !== 'no-model') throw error;
		if (prompt === undefined || asksModel(prompt, commands)) throw error;
		return missingModel(error.message);
	}
}

function wrongCall(name: string, { commands }: Station): string | undefined {
	const definition = named(name, commands);
	if (!definition || definition.forUser) return undefined;
	return `/${name} is for the model alone, which uses it by itself (user-invocable: false in ${definition.path})`;
}

/** The answer to a built-in command with more lines below it, which would be lost or become a part of it. */
function severalLines(name: string): string {
	return `/${name} is one line, and this has more: nothing was done or sent. Give the command and what follows it one after the other`;
}

/** The answer to an unknown command. It is not sent, because a model would guess what was meant. */
function unknownText(name: string, { commands, servers, permissions }: Station): string {
	const names = [...builtinNames, ...commands.map((one) => one.name), ...(servers?.prompts ?? [])];
	const near = nearNames(name, names).map((one) => `/${one}`);
	const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
	const waits = permissions.waiting.some(({ items }) => items.includes(`/${name}`) || items.includes(name));
	const trust = waits ? ' The project has one, which counts once the folder is trusted (--trust).' : '';
	return `there is no command /${name}, and nothing was sent.${meant}${trust} /help lists the commands`;
}

/** A model is told of a command's output with every later request, so it is kept short. */
const longestKept = 1000;

/** A session remembers which commands were called in it. One in which nothing was said does not begin with that. */
async function record(name: string, args: string, { text, kept }: Done, session: ClientSession): Promise<void> {
	const { handle, conversation } = session;
	if (handle.leaf === null) return;
	const said = kept ?? shortened(text, longestKept);
	await handle.append(calledCommand(name, args));
	const output = `<local-command-stdout>${said}</local-command-stdout>`;
	await handle.append({ kind: 'event', event: { type: 'command', content: output, level: 'info' } });
	await handle.sync();
	// Some clients send this to the model, and a command may have moved the conversation: the file says what counts now.
	conversation.messages.splice(0, Infinity, ...resumeConversation(handle.path).conversation.messages);
}

export const nothingSaid = 'The prompt is empty, so that nothing was sent to the model.';

interface Ended {
	readonly text?: string;
	readonly problem?: string;
	readonly durationMs?: number;
}

/** What a turn came to that no model was asked in. */
export function resultOf({ text = '', problem, durationMs = 0 }: Ended): RunResult {
	const nothing = { usage: noUsage, models: new Map(), costUsd: 0, turns: 0, durationMs, apiMs: 0 };
	const how = problem === undefined ? ({ outcome: 'success' } as const) : ({ outcome: 'error', problem } as const);
	return { ...how, text, ...nothing, denials: [], messages: [] };
}
