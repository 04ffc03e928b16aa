/** The wording of a denial for the model, in the words of the client it knows where that has any; and how a recorded result is recognised as one. */
import { isObject } from '../../model/index.ts';
import type { AskedCall, Judgement } from './situation.ts';
import { kindOf } from './tool-names.ts';

/** A rule or the mode said no. */
export function denialText({ tool, input }: AskedCall, { rule, reason }: Judgement): string {
	const fields = isObject(input) ? input : {};
	if (rule === undefined) return `Permission to use ${tool} has been denied: ${reason}.`;
	switch (kindOf(tool)) {
		case 'shell':
			return `Permission to use ${tool} with command ${String(fields.command)} has been denied.`;
		case 'read':
		case 'write':
			if (rule.startsWith('Read') && kindOf(tool) === 'write') {
				return 'File is covered by a Read deny rule in your permission settings and cannot be written.';
			}
			return 'File is in a directory that is denied by your permission settings.';
		case 'search':
			return `Permission to read ${String(fields.path ?? '.')} has been denied.`;
		case 'fetch': {
			const url = String(fields.url);
			return `${tool} denied access to domain:${URL.canParse(url) ? new URL(url).hostname : url}.`;
		}
		case 'skill':
			return 'Skill execution blocked by permission rules';
		case 'agent':
			return `Agent type '${String(fields.subagent_type)}' has been denied by permission rule '${rule}'.`;
		default:
			return `Permission to use ${tool} has been denied.`;
	}
}

/** The client finds a rule about a file before it runs anything, and marks its words so. */
export function isMarked({ tool }: AskedCall, { rule }: Judgement): boolean {
	const kind = kindOf(tool);
	return rule !== undefined && (kind === 'read' || kind === 'write');
}

/** It would have to be asked, and nobody is there. */
export function unaskedText({ tool, input }: AskedCall, { reason }: Judgement): string {
	const fields = isObject(input) ? input : {};
	const path = String(fields.file_path ?? fields.notebook_path ?? fields.path ?? '.');
	switch (kindOf(tool)) {
		case 'shell':
			return `This command requires approval: ${reason}`;
		case 'write':
			return `Claude requested permissions to write to ${path}, but you haven't granted it yet.`;
		case 'read':
		case 'search':
			return `Claude requested permissions to read from ${path}, but you haven't granted it yet.`;
		default:
			return `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
	}
}

/** Whether a failed result says that its call was not allowed, in our words or those of a client; formats without a field for it have only these. */
export function isDenial(text: string): boolean {
	return denials.test(text.replace(/^\s*(<tool_use_error>|Error:)\s*/, ''));
}

const denials =
	/^(Permission to (use|read) .* (has been|was) denied|This command requires approval|Claude requested permissions to |File is (in a directory that is denied|covered by a Read deny rule)|The user (doesn't want to|denied|rejected)|\w+ denied access to domain:|[\w ]*denied by (the )?(user|permission))/is;
