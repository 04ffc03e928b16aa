/** What a hook's exit code and output mean at its point, in Claude Code's words. */
import type { Decision, HookAnswer, HookPoints, HookRan, ToolOutput } from '../../agent/contracts.ts';
import { verdictIn } from '../../agent/permissions/verdict.ts';
import { compact, isObject, type Json, type JsonObject, parsedJson, stringAt } from '../../model/index.ts';
import type { HookOutput } from './hook-process.ts';
import type { HookEventName } from './hook-settings.ts';
import { oddAnswer } from './odd-answers.ts';

export interface Heard {
	readonly point: HookEventName;
	/** As it is recorded: `PreToolUse:Bash`. */
	readonly label: string;
	readonly command: string;
	readonly output: HookOutput;
}

/** Everything that a hook of any point may answer. */
type AnyAnswer = HookPoints['UserPromptSubmit']['out'] &
	HookPoints['PreToolUse']['out'] &
	Pick<HookPoints['PostToolUse']['out'], 'told' | 'output'> &
	HookPoints['Stop']['out'] &
	HookPoints['PermissionRequest']['out'] &
	Pick<HookAnswer, 'halt' | 'notice'>;

export interface Meant {
	readonly answer: AnyAnswer;
	readonly outcome: HookRan['outcome'];
	/** For the record. */
	readonly decision?: JsonObject;
	/** It wants what it has printed kept nowhere. */
	readonly hidesOutput?: boolean;
}

/** The exit code that stops what the hook was asked about. */
const blocks = 2;

export function meaningOf(heard: Heard): Meant {
	const { point, label, command, output } = heard;
	if (output.cancelled) return { answer: {}, outcome: 'cancelled' };
	if (output.problem !== undefined) return failed(heard, output.problem);
	if (output.exitCode === blocks) {
		const reason = `[${command}]: ${output.stderr || 'No stderr output'}`;
		const answer = blockedBy(point, label, reason, command);
		return { answer, outcome: 'blocked', decision: { decision: blockWord(point), reason: output.stderr } };
	}
	if (output.exitCode !== 0) return failed(heard, `it ended with code ${output.exitCode}`);
	const said = output.stdout.trim();
	const json = said.startsWith('{') ? parsedJson(said) : undefined;
	if (isObject(json)) {
		// One command may serve several points with one output: what it prints for another point stops nothing here.
		const odd = oddAnswer(point, json);
		return odd ? failed(heard, `${odd.why}, so that its answer is not used`) : meaningOfJson(heard, json);
	}
	if (said === '' || !saysContext.has(point)) return { answer: {}, outcome: 'success' };
	// What is printed before a compaction is one more instruction for the summary.
	const context = point === 'PreCompact' ? said : reminder(`${label} hook success: ${said}`);
	return { answer: { context }, outcome: 'success', decision: { additionalContext: said } };
}

/** Points at which a text that is no JSON is told on. */
const saysContext: ReadonlySet<HookEventName> = new Set(['SessionStart', 'UserPromptSubmit', 'PreCompact']);

function failed({ label, output }: Heard, why: string): Meant {
	const said = output.stderr.trim();
	const notice = `the hook ${label} failed: ${why}${said === '' ? '' : `: ${said.slice(0, longestNotice)}`}`;
	return { answer: { notice }, outcome: 'failed' };
}

const longestNotice = 500;

function blockWord(point: HookEventName): string {
	return point === 'PreToolUse' ? 'deny' : 'block';
}

/** What a hook stops, where its point is one that can be stopped; elsewhere only the user hears of it. */
function blockedBy(point: HookEventName, label: string, reason: string, command: string): AnyAnswer {
	switch (point) {
		case 'PreToolUse':
			return { decision: { is: 'deny', reason: reason.trim(), text: `${label} hook error: ${reason}` } };
		case 'PostToolUse':
		case 'PostToolUseFailure':
			return { told: reminder(`${label} hook blocking error from command: "${command}": ${reason}`) };
		case 'UserPromptSubmit':
		case 'PreCompact':
			return { block: reason.trim() };
		case 'PermissionRequest':
			return { verdict: { allow: false, reason: reason.trim(), text: reason.trim() } };
		case 'PostToolBatch':
			return { halt: reason.trim() };
		case 'Stop':
		case 'SubagentStop':
			return { continueWith: `${point} hook feedback:\n${reason}` };
		default:
			return { notice: `the hook ${label} says: ${reason.trim()}` };
	}
}

function meaningOfJson(heard: Heard, json: JsonObject): Meant {
	const { point, label, command } = heard;
	const common = compact({
		halt: json.continue === false ? (stringAt(json, 'stopReason') ?? `the hook ${label} said so`) : undefined,
		notice: stringAt(json, 'systemMessage'),
	});
	const specific = isObject(json.hookSpecificOutput) ? json.hookSpecificOutput : {};
	const named = stringAt(specific, 'hookEventName');
	const own = named === undefined || named === point ? specific : {};
	const added = stringAt(own, 'additionalContext');
	const context = added === undefined ? undefined : reminder(`${label} hook additional context: ${added}`);
	const reason = stringAt(own, 'permissionDecisionReason') ?? messageIn(own.decision) ?? stringAt(json, 'reason');
	const decision = decisionOf(point, own, json);
	const changes = changesOf(point, label, own);
	const isBlocked = decision === 'block' || decision === 'deny';
	const record = compact({
		decision,
		reason,
		updatedInput: changes.input,
		additionalContext: added,
		continue: common.halt === undefined ? undefined : false,
		stopReason: common.halt,
	});
	const answer: AnyAnswer = {
		...common,
		...(isBlocked ? blockedBy(point, label, reason ?? 'Blocked by hook', command) : permissionOf(decision, reason)),
		...changes,
	};
	return {
		...(json.suppressOutput === true && { hidesOutput: true }),
		answer: withContext(point, answer, context),
		outcome: isBlocked ? 'blocked' : 'success',
		...(Object.keys(record).length === 0 ? {} : { decision: record }),
	};
}

const oddDecision = {
	allow: false,
	reason: 'the decision of a hook is neither allow nor deny, or its updatedInput is not an object',
} as const;

/** What it wants instead, or in the place of somebody else. */
function changesOf(point: HookEventName, label: string, own: JsonObject): AnyAnswer {
	switch (point) {
		case 'PreToolUse':
			return isObject(own.updatedInput) ? { input: own.updatedInput } : {};
		case 'PostToolUse':
			return compact({ output: replaced(own.updatedToolOutput ?? own.updatedMCPToolOutput) });
		case 'PermissionRequest':
			return isObject(own.decision) ? { verdict: verdictIn(own.decision) ?? oddDecision } : {};
		case 'PermissionDenied':
			return own.retry === true ? { told: reminder(`${label} hook: the call that was denied may be made again`) } : {};
		default:
			return {};
	}
}

function messageIn(decision: Json | undefined): string | undefined {
	return isObject(decision) ? stringAt(decision, 'message') : undefined;
}

/** A result that the model sees in the place of the tool's own, and that the session keeps instead. */
function replaced(value: Json | undefined): ToolOutput | undefined {
	if (value === undefined || value === null) return undefined;
	const texts = Array.isArray(value)
		? value.map((block) => (isObject(block) ? stringAt(block, 'text') : undefined))
		: [];
	const whole = texts.length > 0 && !texts.includes(undefined);
	const text = typeof value === 'string' ? value : whole ? texts.join('\n') : JSON.stringify(value);
	return { content: [{ type: 'text', text }], ...(isObject(value) && { details: value }) };
}

/** In the newer words; `approve` and `block` are the older ones. */
function decisionOf(point: HookEventName, own: JsonObject, json: JsonObject): string | undefined {
	const older = stringAt(json, 'decision');
	if (point === 'PermissionRequest' && isObject(own.decision)) return stringAt(own.decision, 'behavior');
	if (point !== 'PreToolUse') return older === 'block' ? older : undefined;
	const given = stringAt(own, 'permissionDecision');
	if (given !== undefined) return ['allow', 'ask', 'deny', 'defer'].find((word) => word === given);
	return older === 'approve' ? 'allow' : older === 'block' ? 'deny' : undefined;
}

function permissionOf(decision: string | undefined, reason: string | undefined): { readonly decision?: Decision } {
	const why = reason === undefined ? {} : { reason };
	if (decision === 'allow' || decision === 'ask') return { decision: { is: decision, ...why } };
	return decision === 'defer' ? { decision: { is: 'defer' } } : {};
}

/** Points whose words stand behind the results. */
const toldBehind: ReadonlySet<HookEventName> = new Set(['PostToolUse', 'PostToolUseFailure', 'PostToolBatch']);

/** What a tool's hook adds stands behind the result; what the others add, behind the prompt. */
function withContext(point: HookEventName, answer: AnyAnswer, context: string | undefined): AnyAnswer {
	if (context === undefined) return answer;
	if (toldBehind.has(point)) return { ...answer, told: [answer.told, context].filter(Boolean).join('\n') };
	if (point === 'Stop' || point === 'SubagentStop')
		return { ...answer, continueWith: [answer.continueWith, context].filter(Boolean).join('\n') };
	return { ...answer, context };
}

function reminder(text: string): string {
	return `<system-reminder>\n${text}\n</system-reminder>`;
}
