/** What the editor's user is asked, and what each answer means: the options for a permission, questions of the model, plans, MCP servers, and where a rule is saved. */
import type {
	AgentContext,
	ClientCapabilities,
	PermissionOption,
	RequestPermissionResponse,
	ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { Ask, PendingCall, PermissionMode, Verdict } from '../agent/contracts.ts';
import { permissionsHere } from '../client/permissions.ts';
import { whilePlanning } from '../client/while-planning.ts';
import { localSettings, saveAllowRule } from '../host/settings/save-rule.ts';
import type { Elicit, ElicitAnswer } from '../mcp/elicitation.ts';
import { errorText, isObject, type Json } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { changeDiffs } from './diffs.ts';
import { type Asked, answersFrom, asksIn, formFor } from './question-form.ts';
import type { RunUpdates } from './run-updates.ts';
import { said } from './tool-calls.ts';

/** Who is asked, and about which session. */
export interface Asking {
	readonly peer: AgentContext;
	readonly sessionId: string;
	readonly cwd: string;
	readonly capabilities: ClientCapabilities;
	readonly updates: RunUpdates;
	mode(): PermissionMode;
	note(text: string): void;
}

const no: Verdict = { allow: false, reason: 'the user said no' };
const cancelled: Verdict = { allow: false, reason: 'the user has cancelled the turn', interrupt: true };
const unanswered: Verdict = { allow: false, reason: 'the user did not answer' };

export class EditorQuestions {
	readonly #asking: Asking;

	constructor(asking: Asking) {
		this.#asking = asking;
	}

	readonly ask: Ask = async (call, signal) => {
		const { mode, updates } = this.#asking;
		if (signal.aborted) return cancelled;
		const planned = whilePlanning(call, mode());
		if (planned) return planned;
		const verdict = await this.#verdict(call, signal);
		if (verdict.allow) updates.allowed(call.id);
		return verdict;
	};

	/** What an MCP server asks goes to the editor, where that can show it. */
	readonly elicit: Elicit = async (asked, signal) => {
		const { capabilities, sessionId } = this.#asking;
		const scope = { sessionId, message: `${asked.server}: ${asked.message}` };
		if (asked.mode === 'form') {
			if (!capabilities.elicitation?.form) return { action: 'decline' };
			return await this.#elicited({ ...scope, mode: 'form', requestedSchema: asked.schema }, signal);
		}
		if (!capabilities.elicitation?.url || asked.id === undefined) return { action: 'decline' };
		return await this.#elicited({ ...scope, mode: 'url', url: asked.url, elicitationId: asked.id }, signal);
	};

	async #verdict(call: PendingCall, signal: AbortSignal): Promise<Verdict> {
		if (call.tool.name === 'AskUserQuestion') return await this.#answers(call, signal);
		if (call.tool.name === 'ExitPlanMode') return await this.#approval(call, signal);
		return await this.#permission(call, signal);
	}

	async #permission(call: PendingCall, signal: AbortSignal): Promise<Verdict> {
		// A hook that wants a person to look does not want to be told never to ask again.
		const rule = call.reasonType === 'hook' ? undefined : await call.suggest?.();
		const options: PermissionOption[] = [
			{ optionId: 'allow', name: 'Allow', kind: 'allow_once' },
			...(rule === undefined
				? []
				: [
						{ optionId: 'always', name: `Always allow ${rule} in this project`, kind: 'allow_always' as const },
						{ optionId: 'session', name: `Allow ${rule} in this session`, kind: 'allow_always' as const },
					]),
			{ optionId: 'reject', name: 'Reject', kind: 'reject_once' },
		];
		const chosen = await this.#choose(call, await shown(call), options, signal);
		if (typeof chosen !== 'string') return chosen;
		if (chosen === 'allow') return { allow: true };
		if (rule === undefined || chosen === 'reject') return no;
		if (chosen === 'always') await this.#save(rule);
		return chosen === 'always' || chosen === 'session' ? { allow: true, always: rule } : no;
	}

	/** As on a terminal: in the project's settings of this user alone. Where that fails it holds in the session. */
	async #save(rule: string): Promise<void> {
		const { cwd, note } = this.#asking;
		try {
			await saveAllowRule(cwd, rule, thisMachine());
		} catch (error) {
			if (!(error instanceof InputError) && !(error instanceof Error && 'code' in error)) throw error;
			return note(`the rule ${rule} holds in this session, and was not saved: ${error.message}`);
		}
		if (!permissionsHere({}, cwd).rules.allow.some(({ text }) => text === rule))
			note(`${localSettings(cwd)} has the rule ${rule}; it counts in later sessions once this folder is trusted`);
	}

	async #approval(call: PendingCall, signal: AbortSignal): Promise<Verdict> {
		const options: PermissionOption[] = [
			{ optionId: 'yes', name: 'Yes, carry it out', kind: 'allow_once' },
			{ optionId: 'edits', name: 'Yes, and accept edits', kind: 'allow_always' },
			{ optionId: 'no', name: 'No, go on planning', kind: 'reject_once' },
		];
		const chosen = await this.#choose(call, {}, options, signal);
		if (typeof chosen !== 'string') return chosen;
		if (chosen === 'yes') return { allow: true };
		if (chosen === 'edits') return { allow: true, mode: 'acceptEdits' };
		return { allow: false, reason: 'the user wants to go on planning' };
	}

	/** A form where the editor has forms; else the choices of each question as the answers to a permission request. */
	async #answers(call: PendingCall, signal: AbortSignal): Promise<Verdict> {
		const { capabilities, sessionId, updates } = this.#asking;
		const asked = asksIn(call.input);
		const given: { [question: string]: Json } = {};
		if (capabilities.elicitation?.form) {
			updates.asked(call);
			const form = { sessionId, toolCallId: call.id, mode: 'form', message: 'The model asks', ...formFor(asked) };
			const { action, content = {} } = await this.#elicited(form, signal);
			if (action === 'cancel' && signal.aborted) return cancelled;
			Object.assign(given, action === 'accept' ? answersFrom(asked, content) : {});
		} else
			for (const question of asked) {
				const chosen = await this.#choose(call, { content: [said(question.text)] }, choicesOf(question), signal);
				if (typeof chosen !== 'string') return chosen;
				const label = question.options[Number(chosen)]?.label;
				if (label !== undefined) given[question.text] = label;
			}
		if (Object.keys(given).length === 0) return unanswered;
		return { allow: true, input: { ...(isObject(call.input) ? call.input : {}), answers: given } };
	}

	/** The option that was chosen, or the answer where none was. */
	async #choose(
		call: PendingCall,
		more: Partial<ToolCallUpdate>,
		options: PermissionOption[],
		signal: AbortSignal,
	): Promise<string | Verdict> {
		const { peer, sessionId, updates } = this.#asking;
		const toolCall = { ...updates.asked(call), status: 'pending' as const, ...more };
		let answer: RequestPermissionResponse;
		try {
			answer = await peer.request('session/request_permission', { sessionId, toolCall, options }, waiting(signal));
		} catch (error) {
			if (signal.aborted) return cancelled;
			return { allow: false, reason: `the editor could not ask: ${errorText(error)}` };
		}
		return answer.outcome.outcome === 'selected' ? answer.outcome.optionId : cancelled;
	}

	async #elicited(request: object, signal: AbortSignal): Promise<ElicitAnswer> {
		const { peer } = this.#asking;
		try {
			const answer = await peer.request<{ readonly action: string; readonly content?: ElicitAnswer['content'] | null }>(
				'elicitation/create',
				request,
				waiting(signal),
			);
			if (answer.action !== 'accept' && answer.action !== 'decline') return { action: 'cancel' };
			return { action: answer.action, ...(answer.content ? { content: answer.content } : {}) };
		} catch {
			// The editor has no such form, or the turn is over: either way nobody has answered.
			return { action: 'cancel' };
		}
	}
}

function waiting(signal: AbortSignal): {
	readonly cancellationSignal: AbortSignal;
	readonly stopWaitingOnCancel: true;
} {
	return { cancellationSignal: signal, stopWaitingOnCancel: true };
}

/** What it would do to a file, and why somebody is asked. */
async function shown({ change, subjects, reason }: PendingCall): Promise<Partial<ToolCallUpdate>> {
	const [path] = subjects;
	const diffs = change && path !== undefined ? await changeDiffs(path, change) : [];
	const why = reason === undefined ? [] : [said(reason)];
	return diffs.length + why.length === 0 ? {} : { content: [...diffs, ...why] };
}

function choicesOf({ options }: Asked): PermissionOption[] {
	const choices = options.map(({ label, description }, index) => ({
		optionId: String(index),
		name: description === '' ? label : `${label}: ${description}`,
		kind: 'allow_once' as const,
	}));
	return [...choices, { optionId: 'none', name: 'No answer', kind: 'reject_once' }];
}
