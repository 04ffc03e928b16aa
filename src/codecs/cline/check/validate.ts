/** Checks a messages document in one pass: the contract's tables and guarantees, and what the client does to the rest. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { sayingOf } from '../../shared/check/rules.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import { looksLegacy } from '../read/vscode.ts';
import { blockChecks } from './blocks.ts';
import { assistantTable, flawEffects, headerTable, messageTable } from './rules.ts';
import { turnChecks } from './turns.ts';

export function validator(report: Report): LineValidator {
	const ids = new Set<string>();
	const blocks = blockChecks(report);
	const turns = turnChecks(report);
	/** The position of a bare array, until its messages show what it is. */
	let bare: Position | undefined;
	let legacy = false;
	return {
		visit(line) {
			if (line.flaws.length > 0) reportFlaws('cline', flawEffects, line, report);
			if (line.part === 'header') {
				if (Array.isArray(line.other)) bare = positionOf(line);
				else checkHeader(line, report);
			} else if (line.value) {
				if (bare) {
					legacy = looksLegacy(line.value);
					say(report, legacy ? 'legacy-task' : 'bare-array', { at: bare });
					bare = undefined;
				}
				// The takeover of such a task repairs or leaves out whatever it does not understand.
				if (legacy) return;
				checkMessage(line.value, ids, report);
				const position = positionOf(line);
				blocks.message(line.value, position);
				turns.message(line.value, position);
			}
		},
		end() {
			if (bare) say(report, 'bare-array', { at: bare });
			blocks.end();
			turns.end();
		},
	};
}

const say = sayingOf('cline', {
	'legacy-task': ['a task of the VS Code extension: Cline makes a session of it when it is opened there'],
	'bare-array': ['the file is a bare array of messages: Cline reads it, and adds the rest when it saves'],
	messages: ['there are no messages: Cline reads an empty session and overwrites the file'],
	'session-id': ['`sessionId` has `__` in it: Cline takes the session for a sub-agent of another one', 'sessionId'],
	'message/user-model': ['a user message has `modelInfo` or `metrics`: only replies of a model have them'],
	'message/tool-role': ['the role is tool: Cline sends and saves this message as one of the user', 'role'],
	'message/string-content': ['`content` is a text instead of an array of blocks', 'content'],
	'message/empty-content': ['there is nothing in it: Cline sends "ERROR: EMPTY CONTENT" in its place', 'content'],
});

function checkHeader(line: Line, report: Report): void {
	const value = line.value;
	if (!value) {
		if (line.flaws.length === 0 || line.other !== undefined) say(report, 'messages');
		return;
	}
	if (!Array.isArray(value.messages)) {
		const message = `\`messages\` should be an array, but is ${show(value.messages)}: Cline reads an empty session and overwrites the file`;
		report('cline/messages', message, { path: 'messages' });
	}
	headerTable.check(value, report);
	if (typeof value.version === 'number' && value.version !== 1) {
		const message = `version ${value.version} is unknown: read as version 1; Cline (0.0.86) reads it too and saves it as 1`;
		report('cline/version', message, { path: 'version' });
	}
	checkAgent(value, report);
}

function checkAgent(value: JsonObject, report: Report): void {
	const agent = value.agent;
	const child = agent === 'subagent' || agent === 'teammate';
	if (child && value.taskType === undefined) {
		report('cline/task-type', `\`taskType\` is missing in the file of a ${agent}`, { path: 'taskType' });
	}
	if (!child && stringAt(value, 'sessionId')?.includes('__')) say(report, 'session-id');
}

function checkMessage(value: JsonObject, ids: Set<string>, report: Report): void {
	const role = checkRole(value.role, report);
	const shown = isDisplayOnly(value);
	if (role === 'assistant' && !shown) assistantTable.check(value, report);
	else messageTable.check(value, report);
	if (role === 'user' && (value.modelInfo !== undefined || value.metrics !== undefined)) {
		say(report, 'message/user-model');
	}
	checkContent(value.content, shown, report);
	const id = value.id;
	if (typeof id !== 'string') return;
	if (ids.has(id)) report('cline/message/duplicate-id', `another message has the id ${show(id)} too`, { path: 'id' });
	ids.add(id);
}

function checkRole(role: Json | undefined, report: Report): string | undefined {
	if (role === 'user' || role === 'assistant') return role;
	if (role === 'tool') say(report, 'message/tool-role');
	else {
		const message = `\`role\` should be "user" or "assistant", but is ${show(role)}: Cline fails every further turn of this session`;
		report('cline/message/role', message, { path: 'role' });
	}
	return undefined;
}

function checkContent(content: Json | undefined, shown: boolean, report: Report): void {
	if (typeof content === 'string') say(report, 'message/string-content');
	else if (!Array.isArray(content)) {
		const message = `\`content\` should be an array of blocks, but is ${show(content)}: Cline fails every further turn of this session`;
		report('cline/message/content', message, { path: 'content' });
		return;
	}
	if (!shown && isEmpty(content)) say(report, 'message/empty-content');
}

function isEmpty(content: string | readonly Json[]): boolean {
	if (typeof content === 'string') return content.trim() === '';
	return content.every((block) => isObject(block) && block.type === 'text' && block.text === '');
}
