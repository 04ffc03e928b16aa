/** Control frames: requests between this program and the process that drives it, and their answers. */
import type { PendingCall, PermissionMode, Verdict } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../model/index.ts';
import type { Frame } from './frames.ts';

export interface ControlRequest {
	readonly id: string;
	readonly subtype: string;
	readonly body: JsonObject;
}

export type ControlAnswer =
	| { readonly ok: true; readonly id: string; readonly body: JsonObject }
	| { readonly ok: false; readonly id: string; readonly problem: string };

export function readRequest(line: JsonObject): ControlRequest | undefined {
	const id = stringAt(line, 'request_id');
	const body = objectAt(line, 'request');
	const subtype = body && stringAt(body, 'subtype');
	return id === undefined || body === undefined || subtype === undefined ? undefined : { id, subtype, body };
}

/** The hook events for which the driver wants to be called back, as `initialize` names them. */
export function hooksWanted({ hooks }: JsonObject): readonly string[] {
	if (!isObject(hooks)) return hooks === undefined || hooks === null ? [] : ['hooks'];
	return Object.keys(hooks).filter((event) => {
		const matchers = hooks[event];
		return !(matchers === null || (Array.isArray(matchers) && matchers.length === 0));
	});
}

export function readAnswer(line: JsonObject): ControlAnswer | undefined {
	const response = objectAt(line, 'response');
	const id = response && stringAt(response, 'request_id');
	if (response === undefined || id === undefined) return undefined;
	if (response.subtype === 'success') return { ok: true, id, body: objectAt(response, 'response') ?? {} };
	return { ok: false, id, problem: stringAt(response, 'error') ?? 'no reason was given' };
}

export function successFrame(id: string, response: JsonObject = {}): Frame {
	return { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
}

export function refusalFrame(id: string, error: string, code?: string): Frame {
	const response = { subtype: 'error', request_id: id, error, ...(code === undefined ? {} : { error_code: code }) };
	return { type: 'control_response', response };
}

/** The frame that asks whether a call may run. */
export function questionFrame(id: string, call: PendingCall): Frame {
	return {
		type: 'control_request',
		request_id: id,
		request: { subtype: 'can_use_tool', tool_name: call.tool.name, input: call.input, tool_use_id: call.id },
	};
}

/** What a server asks its user: a form to fill in, or an address to visit. */
export function elicitationFrame(id: string, asked: JsonObject): Frame {
	return { type: 'control_request', request_id: id, request: { subtype: 'elicitation', ...asked } };
}

/** The frame that withdraws a question, when nobody needs the answer any more. */
export function withdrawalFrame(id: string): Frame {
	return { type: 'control_cancel_request', request_id: id };
}

export function verdictOf(answer: ControlAnswer): Verdict {
	if (!answer.ok) return { allow: false, reason: `the question could not be answered: ${answer.problem}` };
	const { body } = answer;
	if (body.behavior === 'allow') {
		const input: Json | undefined = body.updatedInput;
		const mode = modeIn(body.updatedPermissions);
		return { allow: true, ...(isObject(input) ? { input } : {}), ...(mode ? { mode } : {}) };
	}
	const reason = stringAt(body, 'message') ?? 'the user said no';
	return { allow: false, reason, ...(body.interrupt === true ? { interrupt: true } : {}) };
}

/** The mode that an answer changes to. What needs no questions at all is chosen when the client is started, and not later. */
function modeIn(updates: Json | undefined): PermissionMode | undefined {
	const found = Array.isArray(updates) ? (updates as readonly Json[]).filter(isObject) : [];
	const wanted = found.findLast(({ type }) => type === 'setMode')?.mode;
	return (['default', 'acceptEdits', 'plan', 'dontAsk'] as const).find((mode) => mode === wanted);
}
