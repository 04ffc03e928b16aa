/** Runs the hooks of one point, all at the same time: which of them are meant (`if`, `once`), and what is recorded of their input and output. */
import { compact, errorText, type HookEvent, type JsonObject } from '../../model/index.ts';
import { askedCall, circumstancesOf } from '../calls/circumstances.ts';
import type { AgentConfig, Conversation } from '../config.ts';
import type { PendingCall } from '../contracts.ts';
import { namesCall } from '../permissions/index.ts';
import type { Journal } from '../recording/journal.ts';
import { BackgroundHooks, type HookEnded } from './background-hooks.ts';
import type { Hook, HookAnswer, HookFacts, HookPoints, HookRan } from './hook-points.ts';

type Answer<P extends keyof HookPoints> = HookPoints[P]['out'] & HookAnswer;

/** Where hooks are called from. */
export interface HookScene {
	readonly config: AgentConfig;
	readonly journal: Journal;
	readonly conversation: Conversation;
	readonly signal: AbortSignal;
}

/** A hook whose matcher fits this call of its point. */
interface Called<P extends keyof HookPoints> extends Pick<Hook, 'name' | 'command' | 'once' | 'background' | 'status'> {
	readonly label: string;
	run(input: HookPoints[P]['in'], signal: AbortSignal, facts: HookFacts): Promise<Answer<P> | undefined>;
}

/** What they answered, in the order of the hooks. A hook that throws stops nothing: that it failed is recorded. */
export async function runHooks<P extends keyof HookPoints>(
	scene: HookScene,
	point: P,
	input: HookPoints[P]['in'],
): Promise<readonly Answer<P>[]> {
	const { config, journal, conversation, signal } = scene;
	const called = await calledAt(scene, point, input);
	if (called.length === 0) return [];
	const call = callOf(input)?.id ?? config.host.randomHex(32);
	for (const { label, command, status } of called) {
		if (status !== undefined) config.observe?.({ type: 'hook-starts', name: label, status });
		if (command === undefined) continue;
		const data = { hookEvent: point, hookName: label, command, ...compact({ statusMessage: status }) };
		await journal.hook({ type: 'progress', of: 'hook_progress', call, parentCall: call, data });
	}
	const { cwd, mode, thinking } = config;
	// Hooks of a sub-agent are told of the session that it works for.
	const { agent } = config;
	const { id = journal.sessionId, path = journal.path } = agent?.root ?? {};
	const { promptId } = conversation;
	const told = { sessionId: id, transcriptPath: path, cwd, permissionMode: mode, ...compact({ promptId, thinking }) };
	const facts: HookFacts = agent ? { ...told, agent: { id: agent.id, type: agent.type } } : told;
	const attempt = async (hook: Called<P>, until: AbortSignal): Promise<Tried<P>> => {
		const told = { id: config.host.randomHex(16), point, name: hook.label };
		const isWatched = hook.command !== undefined;
		if (isWatched) config.observe?.({ type: 'hook-called', ...told });
		const heard = (tried: Tried<P>, isAside = hook.background === true): Tried<P> => {
			const ran = tried.answer?.ran;
			if (isWatched && ran) config.observe?.({ type: 'hook-answered', ...told, ran });
			if (hook.once && !hasSucceeded(tried, isAside)) calledOnce(conversation).delete(keyOf(point, hook));
			return tried;
		};
		const tried = await tryHook(() => hook.run(input, until, facts));
		const later = tried.answer?.later;
		if (!later) return heard(tried);
		return { later: async (until) => heard(await tryHook(async () => (await later(until)) as Answer<P>), true) };
	};
	const ending = (hook: Called<P>, tried: Tried<P>): HookEnded => endedOf({ point, call }, hook, tried);
	const background = (hook: Called<P>, run: (until: AbortSignal) => Promise<Tried<P>>): void =>
		BackgroundHooks.of(conversation).start(async (until) => {
			const tried = await run(until);
			return ending(hook, (await tried.later?.(until)) ?? tried);
		});
	for (const hook of called.filter(({ background }) => background)) background(hook, (until) => attempt(hook, until));
	const waited = called.filter(({ background }) => !background);
	const tried = await Promise.all(waited.map((hook) => attempt(hook, signal)));
	for (const [index, hook] of waited.entries()) {
		const { later, ...one } = tried[index] ?? {};
		if (later) background(hook, later);
		else await keep(ending(hook, one), scene);
	}
	return tried.flatMap(({ answer }) => answer ?? []);
}

/** Hears what hooks in the background have said meanwhile: it is recorded, and told to the model with the next request. */
export async function hearBackground(scene: HookScene): Promise<void> {
	for (const ended of BackgroundHooks.in(scene.conversation)?.take() ?? []) {
		await keep(ended, scene);
		scene.conversation.notices.push(...ended.told);
	}
}

async function keep({ label, record, message }: HookEnded, { journal, config }: HookScene): Promise<void> {
	await journal.hook(record);
	if (message !== undefined) config.observe?.({ type: 'hook', name: label, message });
}

function endedOf<P extends keyof HookPoints>(
	{ point, call }: { readonly point: P; readonly call: string },
	{ label, name, command = name }: Called<P>,
	{ answer, problem }: Tried<P>,
): HookEnded {
	const record = recordOf({ point, label, command, call, ran: answer?.ran, problem });
	const { context, told } = (answer ?? {}) as { readonly context?: string; readonly told?: string };
	const words = [told, context].filter((text) => text !== undefined);
	return { label, record, told: words, ...compact({ message: answer?.notice ?? problem }) };
}

async function calledAt<P extends keyof HookPoints>(
	scene: HookScene,
	point: P,
	input: HookPoints[P]['in'],
): Promise<readonly Called<P>[]> {
	const found: Called<P>[] = [];
	for (const hook of scene.config.hooks ?? []) {
		if (hook.on !== point) continue;
		// The point and the input fit each other, which the union of all hooks cannot say.
		const meant = hook as unknown as Called<P> & {
			calledFor?(input: HookPoints[P]['in']): string | undefined;
		};
		const label = meant.calledFor ? meant.calledFor(input) : `${point}:${hook.name}`;
		if (label === undefined || !(await isNamed(hook, input, scene)) || isDone(hook, point, scene)) continue;
		const { name, command, once, background, status } = hook;
		found.push({ ...compact({ command, once, background, status }), name, label, run: meant.run.bind(hook) });
	}
	return found;
}

/** A rule limits a hook to the calls that it names; where there is no call, it names none. */
async function isNamed({ only }: Hook, input: object, { config, conversation }: HookScene): Promise<boolean> {
	if (only === undefined) return true;
	const call = callOf(input);
	if (!call) return false;
	return await namesCall(only, askedCall(call.tool, call.input), circumstancesOf(config, conversation));
}

/** Noted before it runs, because calls that only look run together. */
function isDone(hook: Hook, point: string, { conversation }: HookScene): boolean {
	if (!hook.once) return false;
	const done = calledOnce(conversation);
	const key = keyOf(point, hook);
	if (done.has(key)) return true;
	done.add(key);
	return false;
}

function keyOf(point: string, { name, command = name }: Pick<Hook, 'name' | 'command'>): string {
	return `${point} ${command}`;
}

const onceName = 'hooks that are called once';

function calledOnce({ kept }: Conversation): Set<string> {
	const found = kept.get(onceName);
	if (found instanceof Set) return found;
	const made = new Set<string>();
	kept.set(onceName, made);
	return made;
}

interface Tried<P extends keyof HookPoints> {
	readonly answer?: Answer<P> | undefined;
	readonly problem?: string;
	/** It is not over. */
	readonly later?: (until: AbortSignal) => Promise<Tried<P>>;
}

async function tryHook<P extends keyof HookPoints>(run: () => Promise<Answer<P> | undefined>): Promise<Tried<P>> {
	try {
		return { answer: await run() };
	} catch (error) {
		return { problem: errorText(error) };
	}
}

/** One that blocks is called again, unless nobody waited for it: then it has blocked nothing. */
function hasSucceeded<P extends keyof HookPoints>({ answer, problem }: Tried<P>, isAside: boolean): boolean {
	const outcome = problem === undefined ? (answer?.ran?.outcome ?? 'success') : 'failed';
	return outcome === 'success' || (isAside && outcome === 'blocked');
}

function callOf(input: object): PendingCall | undefined {
	return 'call' in input ? (input as HookPoints['PreToolUse']['in']).call : undefined;
}

interface Recorded {
	readonly point: string;
	readonly label: string;
	readonly command: string;
	readonly call: string;
	readonly ran: HookRan | undefined;
	readonly problem: string | undefined;
}

/** In the words of Claude Code's own records. `content` is what it would tell the model again: that is a message of its own here. */
function recordOf({ point, label, command, call, ran, problem }: Recorded): HookEvent {
	const told = compact({ output: problem ?? (ran ? ran.stdout || ran.stderr || undefined : undefined) });
	if (!ran) return { type: 'hook', event: point, name: label, ...told, data: { command } };
	const { outcome, input, stdout, stderr, exitCode, durationMs, decision } = ran;
	const facts: JsonObject = { hookName: label, toolUseID: call, hookEvent: point };
	const said = { command, exitCode, durationMs, stdout, stderr };
	return {
		type: 'hook',
		event: point,
		name: label,
		...told,
		data: {
			type: recordTypes[outcome],
			...facts,
			content: '',
			...said,
			...(decision ? { decision } : {}),
			input: shortened(input),
		},
	};
}

/** A hook that blocks has done its work, and its decision says so: the client's own record of it would be told to the model once more. */
const recordTypes: { readonly [K in HookRan['outcome']]: string } = {
	success: 'hook_success',
	blocked: 'hook_success',
	failed: 'hook_non_blocking_error',
	cancelled: 'hook_cancelled',
};

/** Longest text of an input that is written down with each hook; the call and its result hold it anyway. */
const longestKept = 2000;

function shortened(input: JsonObject): JsonObject {
	const entries = Object.entries(input).map(([name, value]) => {
		const text = JSON.stringify(value ?? null);
		return [name, text.length > longestKept ? `${text.slice(0, longestKept)}… (${text.length} characters)` : value];
	});
	return Object.fromEntries(entries) as JsonObject;
}
