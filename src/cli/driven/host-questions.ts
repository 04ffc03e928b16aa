/** What the client asks its host: permissions, what servers ask their user, hooks; and what a missing answer, a time limit or a host that has gone means. */
import { randomUUID } from 'node:crypto';
import type { Ask, PendingCall } from '../../agent/contracts.ts';
import { verdictIn } from '../../agent/permissions/verdict.ts';
import { type ControlAnswer, notUnderstood, verdictOf } from '../../frames/control.ts';
import { questionFields } from '../../frames/question.ts';
import { hookEvents } from '../../host/hooks/hook-settings.ts';
import type { CallBack } from '../../host/hooks/hooks.ts';
import { type OddAnswer, oddAnswer } from '../../host/hooks/odd-answers.ts';
import type { ElicitAnswer, Elicitation } from '../../mcp/elicitation.ts';
import { isObject, type Json, type JsonObject } from '../../model/index.ts';
import type { Driver } from './driver.ts';

export interface Waiting {
	/** Somebody has to answer before the work goes on; what is returned is called when it does. */
	waits(): () => void;
	/** An answer changes what is allowed from now on. */
	updates(given: Json | undefined): Promise<void>;
	/** An answer about a call is none. */
	misunderstood(tool: string, why: string): void;
	/** A hook of the host has failed, and what it was asked about goes on. */
	hookFailed(event: string, callback: string, why: string): void;
}

export class HostQuestions {
	readonly #driver: Driver;
	readonly #waiting: Waiting;
	/** Questions about calls that nobody has answered yet, as a host that connects again is told of them. */
	readonly pending = new Map<string, JsonObject>();

	constructor(driver: Driver, waiting: Waiting) {
		this.#driver = driver;
		this.#waiting = waiting;
	}

	/** The host decides; when the run is interrupted first, the question is taken back. */
	readonly ask: Ask = async (call, signal) => {
		if (signal.aborted || this.#driver.isOver) return { allow: false, reason: 'there is nobody left to ask' };
		const asked = questionFields(call, await suggestedFor(call));
		const goOn = this.#waiting.waits();
		this.pending.set(call.id, asked);
		try {
			const answer = await this.#driver.request('can_use_tool', asked, signal);
			const verdict = verdictOf(answer);
			if (answer.ok && verdict.allow) await this.#waiting.updates(answer.body.updatedPermissions);
			if (!verdict.allow && verdict.text === notUnderstood) this.#waiting.misunderstood(call.tool.name, notUnderstood);
			return verdict;
		} finally {
			this.pending.delete(call.id);
			goOn();
		}
	};

	/** A hook that allows what a person would be asked about may change rules and folders as that person may. */
	async #granted({ hookSpecificOutput: own }: JsonObject): Promise<void> {
		const decision = isObject(own) && own.hookEventName === 'PermissionRequest' ? own.decision : undefined;
		if (isObject(decision) && verdictIn(decision)?.allow) await this.#waiting.updates(decision.updatedPermissions);
	}

	/** What a server asks its user, the host is asked. */
	async elicit(asked: Elicitation, signal: AbortSignal): Promise<ElicitAnswer> {
		if (signal.aborted || this.#driver.isOver) return { action: 'cancel' };
		const goOn = this.#waiting.waits();
		const answer = await this.#driver.request('elicitation', elicitationFields(asked), signal);
		goOn();
		if (!answer.ok || (answer.body.action !== 'accept' && answer.body.action !== 'decline'))
			return { action: 'cancel' };
		const { action, content } = answer.body;
		return { action, ...(isObject(content) ? { content: content as ElicitAnswer['content'] & object } : {}) };
	}

	/**
	 * A function of the host stands for the command of a hook: its answer is what that would have printed. Hosts count on an id also
	 * where no call is meant.
	 */
	readonly callback: CallBack = async ({ callback, timeoutMs, strict }, input, signal, call = randomUUID()) => {
		// The end of a session stops for nobody: where its host has gone first, there is nothing to tell.
		if (this.#driver.isOver && input.hook_event_name === 'SessionEnd')
			return { stdout: '', stderr: '', exitCode: null, cancelled: true };
		const limit = AbortSignal.timeout(timeoutMs);
		const asked = { callback_id: callback, input, tool_use_id: call };
		const answer = await this.#driver.request('hook_callback', asked, AbortSignal.any([signal, limit]));
		const silent = { stdout: '', stderr: '' };
		if (signal.aborted) return { ...silent, exitCode: null, cancelled: true };
		const odd = answer.ok ? oddIn(answer, input) : undefined;
		if (answer.ok && !odd) {
			await this.#granted(answer.body);
			return { ...silent, stdout: JSON.stringify(answer.body), exitCode: 0 };
		}
		const problem = answer.ok ? (odd?.why ?? '') : answer.problem;
		const why = limit.aborted ? `it took longer than ${timeoutMs / 1000} s` : problem;
		if (odd?.stops) this.#waiting.hookFailed(String(input.hook_event_name), callback, why);
		// A host that is gone can stop nothing any more, and may have meant to: what it would be asked about does not happen.
		// One that has said nothing in time would have been asked whether a call may run: it does not run unasked.
		const late = limit.aborted && input.hook_event_name === 'PreToolUse';
		if (late || odd?.stops || strict || this.#driver.isOver) return { stdout: '', stderr: why, exitCode: 2 };
		this.#waiting.hookFailed(String(input.hook_event_name), callback, why);
		return { ...silent, exitCode: 0 };
	};
}

/** An answer that has a slip in it is one that has failed: a gate that its host believes to be shut is not left open in silence. */
function oddIn(
	answer: ControlAnswer & { readonly ok: true },
	{ hook_event_name: event }: JsonObject,
): OddAnswer | undefined {
	if (answer.odd) return { why: 'it is not an object', stops: false };
	const point = hookEvents.find((one) => one === event);
	return point && oddAnswer(point, answer.body);
}

async function suggestedFor(call: PendingCall): Promise<string | undefined> {
	return await call.suggest?.();
}

function elicitationFields(asked: Elicitation): JsonObject {
	const { server, message, mode } = asked;
	const common = { mcp_server_name: server, message, mode };
	if (asked.mode === 'url')
		return { ...common, url: asked.url, ...(asked.id === undefined ? {} : { elicitation_id: asked.id }) };
	const { properties } = asked.schema;
	return {
		...common,
		requested_schema: asked.schema,
		...(isObject(properties) ? { property_order: Object.keys(properties) } : {}),
	};
}
