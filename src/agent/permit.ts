/** Whether a call may run: what hooks, rules and the mode say, and whoever can be asked. */
import type { PermissionFacts } from '../codecs/index.ts';
import type { Json } from '../model/index.ts';
import { askedCall, circumstancesOf } from './circumstances.ts';
import type { Conversation, DenialWay } from './config.ts';
import type { Checked, Decision, HookPoints, PendingCall, Tool, ToolOutput, Verdict } from './contracts.ts';
import { type HookScene, runHooks } from './hooks.ts';
import {
	type AskedCall,
	type Circumstances,
	type DecidedFile,
	decide,
	denialText,
	isMarked,
	type Judgement,
	readRule,
	suggestRule,
	unaskedText,
} from './permissions/index.ts';
import { hear, type Turn } from './turn.ts';

export interface Asking extends HookScene {
	readonly turn: Turn;
}

export type Answer =
	| { readonly allowed: true; readonly input?: Json; readonly byUser?: true; readonly opens?: DecidedFile }
	| Denied
	/** Nobody was asked, because it cannot work. */
	| { readonly allowed: false; readonly fails: ToolOutput };

export interface Denied {
	readonly allowed: false;
	/** For people. */
	readonly reason: string;
	/** For the model. */
	readonly text: string;
	readonly stop?: boolean;
	/** The model is told with the mark of a call that has to be made differently. */
	readonly marked?: boolean;
	readonly way?: DenialWay | undefined;
}

/** What a tool says before somebody is asked about its call; it opens no other file than the one that was decided about. */
export type Check = (opens: DecidedFile | undefined) => Promise<Checked | undefined>;

export async function permit(pending: PendingCall, asking: Asking, check: Check): Promise<Answer> {
	const { turn } = asking;
	const hooked = await runHooks(asking, 'PreToolUse', { call: pending });
	hear(
		turn,
		hooked.map(({ context, ...more }) => ({ ...more, ...(context === undefined ? {} : { told: context }) })),
	);
	const call = askedCall(pending.tool, pending.input);
	const hook = strictest(hooked);
	if (turn.halt !== undefined) return { ...byHook(refused(call, turn.halt), pending, turn, turn.halt), stop: true };
	if (hook?.is === 'deny') {
		const answer = refused(call, hook.reason);
		return byHook({ ...answer, text: hook.text ?? answer.text }, pending, turn, hook.reason);
	}
	if (hook?.is === 'defer') {
		turn.deferred = { callId: pending.id, tool: pending.tool.name, input: pending.input };
		return { ...refused(call, 'a hook has put it off'), stop: true };
	}
	const wanted = inputWanted(hooked);
	if (wanted === undefined) return await decided(pending, hook, asking, check);
	const answer = await decided(withInput(pending, wanted, asking), hook, asking, async () => undefined);
	return answer.allowed ? { input: wanted, ...answer } : answer;
}

/** What rules, the mode and whoever can be asked say about a call that no hook has stopped. */
async function decided(
	pending: PendingCall,
	hook: Decision | undefined,
	asking: Asking,
	check: Check,
): Promise<Answer> {
	const { config, conversation, journal, signal, turn } = asking;
	const keep = (facts: PermissionFacts): unknown => turn.decided.set(pending.id, facts);
	const call = askedCall(pending.tool, pending.input);
	const circumstances = withOutputs(circumstancesOf(config, conversation), pending, journal.outputFolder);
	const judged = await decide(call, circumstances);
	if (judged.decision === 'deny') {
		keep(byConfig('reject', judged));
		return { ...denied(call, judged), way: wayFor(pending, hook, judged, circumstances) };
	}
	// A rule that asks is the user's word: a hook does not answer in the user's place.
	if (hook?.is === 'allow' && !(judged.decision === 'ask' && judged.rule !== undefined)) {
		keep({ decision: 'accept', source: 'hook', reasonType: 'hook', ...reasonOf(hook) });
		return allowed(judged);
	}
	if (judged.decision === 'allow' && hook?.is !== 'ask' && !pending.tool.asks) {
		if (judged.rule !== undefined) keep(byConfig('accept', judged));
		return allowed(judged);
	}
	const why = (hook?.is === 'ask' ? hook.reason : undefined) ?? judged.reason;
	// Whoever is asked has to know that it is not the conversation that they see.
	const reason = config.agent ? `the sub-agent ${config.agent.id} (${config.agent.type}) asks; ${why}` : why;
	if (!config.ask) {
		keep(byConfig('reject', { ...judged, reason }));
		return { ...unasked(call, { ...judged, reason }), way: wayFor(pending, hook, judged, circumstances) };
	}
	const checked = await check(judged.opens);
	const fails = checked !== undefined && 'fails' in checked;
	if (fails && (await isKnown(pending, conversation, circumstances))) return { allowed: false, ...checked };
	const suggest = (): Promise<string | undefined> => suggestRule(call, circumstances);
	const message = `Reprise needs your permission to use ${pending.tool.name}`;
	const [verdict] = await Promise.all([
		config.ask({ ...pending, ...(fails ? {} : checked), reason, suggest }, signal),
		runHooks(asking, 'Notification', { kind: 'permission_prompt', message }),
	]);
	if (!verdict.allow) {
		keep(factsOf(verdict));
		return { ...refused(call, verdict.reason), stop: verdict.interrupt === true, way: verdict.byMode && 'mode' };
	}
	keep({ decision: 'accept', source: 'user', scope: verdict.always === undefined ? 'once' : 'session' });
	if (verdict.always !== undefined) grant(verdict.always, conversation);
	if (verdict.mode !== undefined) config.setMode?.(verdict.mode);
	const answer = await changed(pending.tool, verdict.input, judged, circumstances);
	return answer.allowed ? { ...answer, byUser: true } : answer;
}

/** What would have allowed a call that nobody was asked about. A question to the user needs the user, and a rule that asks stays one. */
function wayFor(
	{ tool }: PendingCall,
	hook: Decision | undefined,
	{ decision, rule }: Judgement,
	{ mode }: Circumstances,
): DenialWay | undefined {
	if (tool.asks || rule !== undefined || hook?.is === 'ask') return undefined;
	if (decision === 'deny' && mode !== 'dontAsk') return undefined;
	return mode === 'plan' && tool.effect !== 'read' ? 'mode' : 'rule';
}

function factsOf({ byMode, reason }: Verdict & { readonly allow: false }): PermissionFacts {
	if (byMode) return byConfig('reject', { decision: 'deny', reason });
	return { decision: 'reject', source: 'user', reason };
}

/** The input that the last hook wants that wants another one. */
function inputWanted(hooked: readonly HookPoints['PreToolUse']['out'][]): Json | undefined {
	const wanted = hooked.flatMap(({ input, decision }) => [
		...(decision?.is === 'allow' && decision.input !== undefined ? [decision.input] : []),
		...(input === undefined ? [] : [input]),
	]);
	return wanted.at(-1);
}

function withInput(pending: PendingCall, input: Json, { config, conversation }: Asking): PendingCall {
	const parsed = pending.tool.parse(input);
	if (!parsed.ok) return { ...pending, input };
	return { ...pending, input, subjects: pending.tool.subjects(parsed.input, conversation.folder ?? config.cwd) };
}

function byHook(answer: Denied, { id }: PendingCall, turn: Turn, reason: string): Denied {
	turn.decided.set(id, { decision: 'reject', source: 'hook', reasonType: 'hook', reason });
	return answer;
}

function byConfig(decision: PermissionFacts['decision'], { rule, reason }: Judgement): PermissionFacts {
	return {
		decision,
		source: 'config',
		reasonType: rule === undefined ? 'mode' : 'rule',
		reason,
		...(rule ? { rule } : {}),
	};
}

function reasonOf({ reason }: { readonly reason?: string }): { readonly reason?: string } {
	return reason === undefined ? {} : { reason };
}

/** Why a change fails tells of the file and of those beside it: it is told unasked only where the model has read it, or may. */
async function isKnown(
	{ subjects }: PendingCall,
	{ seen }: Conversation,
	circumstances: Circumstances,
): Promise<boolean> {
	for (const path of subjects) {
		if (seen.has(path)) continue;
		const { decision } = await decide({ tool: 'Read', input: { file_path: path } }, circumstances);
		if (decision !== 'allow') return false;
	}
	return true;
}

/** Hooks do not know each other: a denial of one is not undone by another that came first. */
function strictest(hooked: readonly HookPoints['PreToolUse']['out'][]): Decision | undefined {
	const decisions = hooked.flatMap(({ decision }) => decision ?? []);
	const first = (wanted: Decision['is']): Decision | undefined => decisions.find(({ is }) => is === wanted);
	return first('deny') ?? first('defer') ?? first('ask') ?? first('allow');
}

/** What was too long for the conversation was said in it all the same: the model may read where it is. */
function withOutputs(circumstances: Circumstances, { tool, subjects }: PendingCall, folder: string): Circumstances {
	if (tool.effect !== 'read' || !subjects.some((path) => path.startsWith(`${folder}/`))) return circumstances;
	const read = readRule(`Read(/${folder.replaceAll(/[\\*?[\]!#]/g, '\\$&')}/**)`, 'allow');
	if (!('rule' in read)) return circumstances;
	const { rules } = circumstances;
	return { ...circumstances, rules: { ...rules, allow: [...rules.allow, read.rule] } };
}

/** Whoever allows a call may change its input, but not into something that a rule denies. */
async function changed(
	tool: Tool,
	input: Json | undefined,
	judged: Judgement,
	circumstances: Circumstances,
): Promise<Answer> {
	if (input === undefined) return allowed(judged);
	const now = askedCall(tool, input);
	const again = await decide(now, circumstances);
	return again.decision === 'deny' ? denied(now, again) : { ...allowed(again), input };
}

function allowed({ opens }: Judgement): Answer & { readonly allowed: true } {
	return { allowed: true, ...(opens ? { opens } : {}) };
}

function denied(call: AskedCall, judged: Judgement): Denied {
	const by = judged.rule === undefined ? '' : ` (${judged.rule})`;
	const text = denialText(call, judged);
	return { allowed: false, reason: `${judged.reason}${by}`, text, marked: isMarked(call, judged) };
}

function refused({ tool }: AskedCall, reason: string): Denied {
	return { allowed: false, reason, text: `Permission to use ${tool} was denied: ${reason}.` };
}

function unasked(call: AskedCall, judged: Judgement): Denied {
	const reason = `${judged.reason}; nobody can be asked here: allow it with --allowedTools or a permission mode`;
	return { allowed: false, reason, text: unaskedText(call, judged) };
}

function grant(text: string, { granted }: Conversation): void {
	const read = readRule(text, 'allow');
	if ('rule' in read) granted.push(read.rule);
}
