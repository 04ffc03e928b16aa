/** Control frames: requests between this program and the process that drives it, and their answers. */
import type { Verdict } from '../agent/contracts.ts';
import { verdictIn } from '../agent/permissions/verdict.ts';
import { type JsonObject, objectAt, stringAt } from '../model/index.ts';
import type { Frame } from './frames.ts';

export interface ControlRequest {
	readonly id: string;
	readonly subtype: string;
	readonly body: JsonObject;
}

export type ControlAnswer =
	/** `odd`: what was answered is no object, and `body` is empty. */
	| { readonly ok: true; readonly id: string; readonly body: JsonObject; readonly odd?: true }
	| { readonly ok: false; readonly id: string; readonly problem: string };

/** A request that cannot be read; with an id, its sender waits for an answer. */
export interface OddRequest {
	readonly id?: string;
	readonly problem: string;
}

export function readRequest(line: JsonObject): ControlRequest | OddRequest {
	const id = stringAt(line, 'request_id');
	if (id === undefined) return { problem: 'a control_request of the input has no request_id that is a text' };
	const body = objectAt(line, 'request');
	if (body === undefined) return { id, problem: 'request is missing, or is not an object' };
	const subtype = stringAt(body, 'subtype');
	if (subtype === undefined) return { id, problem: 'request.subtype is missing, or is not a text' };
	return { id, subtype, body };
}

export function readAnswer(line: JsonObject): ControlAnswer | undefined {
	const response = objectAt(line, 'response');
	const id = response && stringAt(response, 'request_id');
	if (response === undefined || id === undefined) return undefined;
	if (response.subtype === 'success') {
		const body = objectAt(response, 'response');
		return body ? { ok: true, id, body } : { ok: true, id, body: {}, odd: true };
	}
	return { ok: false, id, problem: stringAt(response, 'error') ?? 'no reason was given' };
}

/** `more`: what stands beside the answer itself. */
export function successFrame(id: string, response?: JsonObject, more: JsonObject = {}): Frame {
	const given = response === undefined ? {} : { response };
	return { type: 'control_response', response: { subtype: 'success', request_id: id, ...given, ...more } };
}

export function refusalFrame(id: string, error: string, code?: string): Frame {
	const response = { subtype: 'error', request_id: id, error, ...(code === undefined ? {} : { error_code: code }) };
	return { type: 'control_response', response };
}

/** The frame that asks the other side for something. */
export function requestFrame(id: string, subtype: string, body: JsonObject): Frame {
	return { type: 'control_request', request_id: id, request: { subtype, ...body } };
}

/** The frame that withdraws a question, when nobody needs the answer any more. */
export function withdrawalFrame(id: string): Frame {
	return { type: 'control_cancel_request', request_id: id };
}

/** Nobody has said no: model and host are told that what was said is no answer. */
export const notUnderstood =
	'the host’s answer was not understood: its behavior is neither allow nor deny, or its updatedInput is not an object, so that the call was not run';

export function verdictOf(answer: ControlAnswer): Verdict {
	if (!answer.ok) return { allow: false, reason: `the question could not be answered: ${answer.problem}` };
	return verdictIn(answer.body) ?? { allow: false, reason: notUnderstood, text: notUnderstood };
}
