/** A valid session of Claude Code, ways to break it, and what validation says about it. */

import { claudeCode } from '../../src/codecs/claude-code/index.ts';
import { checkBytes } from '../../src/codecs/shared/check/check.ts';
import type { Issue, JsonObject } from '../../src/model/index.ts';

export type Line = { [key: string]: JsonObject[string] };

export const sessionId = '07c9cd52-5a41-4c0e-9d0a-3b1f0a6a2c11';

/** A valid session: prompt, call, result, reply, in the published style. */
export function session(): Line[] {
	const lines: Line[] = [];
	const add = (fields: Line): void => {
		const n = lines.length + 1;
		lines.push({
			uuid: `u${n}`,
			parentUuid: n === 1 ? null : `u${n - 1}`,
			sessionId,
			timestamp: `2026-01-03T10:00:0${n}.000Z`,
			isSidechain: false,
			userType: 'external',
			cwd: '/home/dev/app',
			version: '2.1.29',
			gitBranch: 'main',
			...fields,
		});
	};
	const reply = (id: string, block: JsonObject, stop: string): Line => ({
		type: 'assistant',
		requestId: `req_${id}`,
		message: {
			id: `msg_${id}`,
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-4-5',
			content: [block],
			stop_reason: stop,
			usage: { input_tokens: 1, output_tokens: 1 },
		},
	});
	add({ type: 'user', message: { role: 'user', content: 'read it' } });
	add(reply('1', { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }, 'tool_use'));
	const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text' };
	add({ type: 'user', message: { role: 'user', content: [result] } });
	add(reply('2', { type: 'text', text: 'done' }, 'end_turn'));
	return lines;
}

export const check = (lines: readonly (Line | string)[]): readonly Issue[] =>
	checkBytes(
		claudeCode,
		Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
	);

export const found = (lines: readonly (Line | string)[]): readonly string[] =>
	check(lines).map((issue) => `${issue.severity} ${issue.rule.replace('claude-code/', '')} ${issue.line}`);

/** The session with one line changed. */
export function changed(index: number, change: (line: Line) => void): Line[] {
	const lines = session();
	const line = lines[index];
	if (line) change(line);
	return lines;
}

export const at = (lines: readonly Line[], index: number): Line => lines[index] as Line;
export const message = (line: Line): Line => line.message as Line;
