/** Checks a messages document in one pass: the contract's tables and guarantees, and what the client does to the rest. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import { isDisplayOnly } from '../lines.ts';
import { looksLegacy } from '../read/vscode.ts';
import { blockChecks } from './blocks.ts';
import { flawEffects } from './flaw-effects.ts';
import { assistantTable, headerTable, messageTable } from './rules.ts';
import { turnChecks } from './turns.ts';

export function validator(report: Report): LineValidator {
	const ids = new Set<string>();
	const blocks = blockChecks(report);
	const turns = turnChecks(report);
	/** Where a bare array begins, until its messages tell what it is. */
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
					reportBare(legacy, bare, report);
					bare = undefined;
				}
				// What takes such a task over repairs or leaves out whatever it does not understand.
				if (legacy) return;
				checkMessage(line.value, line, ids, report);
				const position = positionOf(line);
				blocks.message(line.value, position);
				turns.message(line.value, position);
			}
		},
		end() {
			if (bare) reportBare(false, bare, report);
			blocks.end();
			turns.end();
		},
	};
}

function reportBare(legacy: boolean, at: Position, report: Report): void {
	if (legacy) {
		const message = 'a task of the VS Code extension: Cline makes a session of it when it is opened there';
		report('cline/legacy-task', message, { at });
	} else {
		const message = 'the file is a bare array of messages: Cline reads it, and adds the rest when it saves';
		report('cline/bare-array', message, { at });
	}
}

function checkHeader(line: Line, report: Report): void {
	const value = line.value;
	if (!value) {
		if (line.flaws.length === 0 || line.other !== undefined) {
			report('cline/messages', 'there are no messages: Cline reads an empty session and overwrites the file');
		}
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
	if (!child && stringAt(value, 'sessionId')?.includes('__')) {
		report('cline/session-id', '`sessionId` has `__` in it: Cline takes the session for a sub-agent of another one', {
			path: 'sessionId',
		});
	}
}

function checkMessage(value: JsonObject, line: Line, ids: Set<string>, report: Report): void {
	const role = checkRole(value.role, report);
	const shown = isDisplayOnly(value);
	if (role === 'assistant' && !shown) assistantTable.check(value, report, line);
	else messageTable.check(value, report, line);
	if (role === 'user' && (value.modelInfo !== undefined || value.metrics !== undefined)) {
		report(
			'cline/message/user-model',
			'a user message has `modelInfo` or `metrics`: only replies of a model have them',
		);
	}
	checkContent(value.content, shown, report);
	const id = value.id;
	if (typeof id !== 'string') return;
	if (ids.has(id)) report('cline/message/duplicate-id', `another message has the id ${show(id)} too`, { path: 'id' });
	ids.add(id);
}

function checkRole(role: Json | undefined, report: Report): string | undefined {
	if (role === 'user' || role === 'assistant') return role;
	if (role === 'tool') {
		report('cline/message/tool-role', 'the role is tool: Cline sends and saves this message as one of the user', {
			path: 'role',
		});
	} else {
		const message = `\`role\` should be "user" or "assistant", but is ${show(role)}: Cline fails every further turn of this session`;
		report('cline/message/role', message, { path: 'role' });
	}
	return undefined;
}

function checkContent(content: Json | undefined, shown: boolean, report: Report): void {
	const where = { path: 'content' };
	if (typeof content === 'string') {
		report('cline/message/string-content', '`content` is a text instead of an array of blocks', where);
	} else if (!Array.isArray(content)) {
		const message = `\`content\` should be an array of blocks, but is ${show(content)}: Cline fails every further turn of this session`;
		report('cline/message/content', message, where);
		return;
	}
	if (!shown && isEmpty(content)) {
		report(
			'cline/message/empty-content',
			'there is nothing in it: Cline sends "ERROR: EMPTY CONTENT" in its place',
			where,
		);
	}
}

function isEmpty(content: string | readonly Json[]): boolean {
	if (typeof content === 'string') return content.trim() === '';
	return content.every((block) => isObject(block) && block.type === 'text' && block.text === '');
}
