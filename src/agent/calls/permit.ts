/** Whether a call may run, step by step: hooks first, then rules and mode (`permissions/decide.ts`), then whoever can be asked; and what an answer may change in it. */
import { isDeepStrictEqual } from 'node:util';
import type { PermissionFacts } from '../../codecs/index.ts';
import { compact, isObject, type Json } from '../../model/index.ts';
import type { Conversation, DenialWay } from '../config.ts';
import type { Checked, Decision, HookPoints, PendingCall, ToolOutput, Verdict } from '../contracts.ts';
import { type HookScene, runHooks } from '../hooks/run-hooks.ts';
import {
	type AskedCall,
	type Circumstances,
	type DecidedFile,
	decide,
	denialText,
	guarded,
	isMarked,
	type Judgement,
	readRule,
	ruleAllows,
	suggestRule,
	unaskedText,
} from '../permissions/index.ts';
import { hear, type Turn } from '../turn.ts';
import { askAll, hasHook } from './ask-all.ts';
import { askedCall, circumstancesOf } from './circumstances.ts';

export interface Asking extends HookScene {
	readonly turn: Turn;
}

export type Answer =
	| Allowed
	| Denied
	/** Nobody was asked, because it cannot work. */
	| { readonly allowed: false; readonly fails: ToolOutput };

export interface Allowed {
	readonly allowed: true;
	/** What the tool is given instead of what it was called with. */
	readonly input?: Json;
	readonly byUser?: true;
	/** Whoever was asked has changed the input that they were shown. */
	readonly userModified?: boolean;
	/** A person has, and the model is told what was run. */
	readonly edited?: boolean;
	readonly opens?: DecidedFile;
}

export interface Denied {
	readonly allowed: false;
	/** What was denied, where that is not what the tool was called with. */
	readonly input?: Json;
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
export type Check = (call: PendingCall, opens: DecidedFile | undefined) => Promise<Checked | undefined>;

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
	return 'fails' in answer ? answer : { input: wanted, ...answer };
}

/** What rules, the mode and whoever can be asked say about a call that no hook has stopped. */
async function decided(
	pending: PendingCall,
	hook: Decision | undefined,
	asking: Asking,
	check: Check,
): Promise<Answer> {
	const { config, conversation, journal, turn } = asking;
	const agent = config.agent && { agent: config.agent.id };
	const keep: Keep = (facts) => turn.decided.set(pending.id, { ...facts, ...agent });
	const call = askedCall(pending.tool, pending.input);
	const circumstances = withOutputs(circumstancesOf(config, conversation), pending, journal.outputFolder);
	const judged = await decide(call, circumstances);
	if (judged.decision === 'deny') {
		keep(byConfig('reject', judged));
		return { ...denied(call, judged), way: wayFor(pending, hook, judged, circumstances) };
	}
	// A rule that asks is the user's word, and so is what is protected: a hook does not answer in the user's place.
	const kept = hook?.is === 'allow' ? await guarded(call, circumstances) : undefined;
	if (hook?.is === 'allow' && !kept && !(judged.decision === 'ask' && judged.rule !== undefined)) {
		keep({ decision: 'accept', source: 'hook', reasonType: 'hook', ...reasonOf(hook) });
		return allowed(judged);
	}
	if (judged.decision === 'allow' && hook?.is !== 'ask' && !pending.tool.asks) {
		if (judged.rule !== undefined) keep(byConfig('accept', judged));
		return allowed(judged);
	}
	const wanted = (hook?.is === 'ask' ? hook.reason : kept?.reason) ?? judged.reason;
	// Whoever is asked has to know that it is not the conversation that they see.
	const reason = config.agent ? `the sub-agent ${config.agent.id} (${config.agent.type}) asks; ${wanted}` : wanted;
	const nobodyAsked = (): Denied => {
		keep(byConfig('reject', { ...judged, reason }));
		return { ...unasked(call, { ...judged, reason }), way: wayFor(pending, hook, judged, circumstances) };
	};
	if (!config.ask && !hasHook(config, 'PermissionRequest')) return nobodyAsked();
	const checked = await check(pending, judged.opens);
	const fails = checked !== undefined && 'fails' in checked;
	if (fails && (await isKnown(pending, conversation, circumstances))) return { allowed: false, ...checked };
	const asker = askerOf(hook, judged, asking);
	const questionOn = (one: PendingCall, why: string, found: Checked | undefined): PendingCall => ({
		...{ ...one, reason: why, ...asker, ...(found && 'fails' in found ? {} : found) },
		suggest: () => suggestRule(askedCall(one.tool, one.input), circumstances),
		allows: (rule) => ruleAllows(rule, askedCall(one.tool, one.input), circumstances),
		async withInput(input) {
			const other = withInput(pending, input, asking);
			const { opens, reason: because } = await decide(askedCall(other.tool, input), circumstances);
			return questionOn(other, because, await check(other, opens));
		},
	});
	const asked = questionOn(pending, reason, checked);
	// Whoever reads the session of a run that was killed meanwhile sees what it waited for.
	if (config.ask) journal.asks({ call: pending.id, tool: pending.tool.name, reason, ...asker });
	const { verdict, byHook } = await askAll(
		asked,
		asking,
		async () => (await guarded(call, circumstances)) !== undefined,
	);
	if (!verdict) return nobodyAsked();
	const why = byHook ? {} : { reasonType: asker.reasonType, reason };
	return verdict.allow
		? await accepted(pending, verdict, { judged, circumstances, keep, why, byHook }, asking)
		: rejected(call, verdict, keep, why, byHook);
}

const asHook = { source: 'hook', hook: 'PermissionRequest', reasonType: 'hook' } as const;

type Keep = (facts: PermissionFacts) => unknown;
type Why = Pick<PermissionFacts, 'reasonType' | 'reason'>;

function rejected(
	call: AskedCall,
	verdict: Verdict & { readonly allow: false },
	keep: Keep,
	why: Why,
	byHook: boolean,
): Denied {
	keep({ ...why, ...factsOf(verdict), ...(byHook && asHook) });
	const { text, interrupt: stop = false, byMode } = verdict;
	return { ...refused(call, verdict.reason), ...compact({ text }), way: byMode && 'mode', stop };
}

interface Decided {
	readonly judged: Judgement;
	readonly circumstances: Circumstances;
	readonly keep: Keep;
	readonly why: Why;
	readonly byHook: boolean;
}

/** Whoever allows a call may change its input, but not into something that a rule denies; and a hook not into a change of what only a person may open. */
async function accepted(
	{ tool, input: shown }: PendingCall,
	verdict: Verdict & { readonly allow: true },
	{ judged, circumstances, keep, why, byHook }: Decided,
	{ config, conversation }: Asking,
): Promise<Answer> {
	const rules = [verdict.always ?? [], verdict.alsoAlways ?? []].flat();
	for (const rule of rules) grant(rule, conversation);
	if (verdict.mode !== undefined) config.setMode?.(verdict.mode);
	const { input = shown } = verdict;
	const userModified = !isDeepStrictEqual(input, shown);
	const call = askedCall(tool, input);
	const now = userModified ? await decide(call, circumstances) : judged;
	const kept = userModified && byHook ? await guarded(call, circumstances) : undefined;
	if (kept || (userModified && now.decision === 'deny')) {
		keep(byConfig('reject', kept ?? now));
		return { ...denied(call, kept ?? now), input };
	}
	const by = byHook
		? asHook
		: { source: 'user' as const, scope: rules.length === 0 ? ('once' as const) : ('session' as const) };
	// What a hook has made of it stands with the hook, and an answer to the model's own question in the result.
	const instead = userModified && !byHook && !tool.asks && isObject(input) ? { input } : {};
	keep({ decision: 'accept', ...why, ...by, ...instead });
	return {
		...allowed(now),
		...(byHook ? {} : { byUser: true }),
		...(verdict.input === undefined ? {} : { input, userModified, edited: userModified && verdict.edited === true }),
	};
}

/** Who wants a person to be asked, and whose call it is. */
function askerOf(
	hook: Decision | undefined,
	{ rule }: Judgement,
	{ config: { agent } }: Asking,
): Pick<PendingCall, 'agent'> & Required<Pick<PendingCall, 'reasonType'>> {
	const reasonType = hook?.is === 'ask' ? 'hook' : rule === undefined ? 'other' : 'rule';
	return { reasonType, ...(agent && { agent: { id: agent.id, type: agent.type } }) };
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

/** The input that hooks put in place of the call's own; where several do, the last one's. */
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

function allowed({ opens }: Judgement): Allowed {
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
