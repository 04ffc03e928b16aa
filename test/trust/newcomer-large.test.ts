/** What somebody meets who has a session of many megabytes: its end is read from its end, and is the same. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';

const time = (at: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + at * 1000).toISOString();
const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const long = 'and then some more words. '.repeat(300);

/** The lines of a message in each format that is written line by line. */
const lines: { readonly [format: string]: { first: object; message(at: number, isPrompt: boolean): object } } = {
	'claude-code': {
		first: { type: 'custom-title', customTitle: 'Large', sessionId: uuid(0) },
		message: (at, isPrompt) => ({
			type: isPrompt ? 'user' : 'assistant',
			uuid: uuid(at),
			parentUuid: at === 1 ? null : uuid(at - 1),
			sessionId: uuid(0),
			cwd: '/p',
			version: '2.1.325',
			timestamp: time(at),
			message: isPrompt
				? { role: 'user', content: `Question ${at}` }
				: {
						id: `m${at}`,
						role: 'assistant',
						model: 'claude-x',
						content: [{ type: 'text', text: `Answer ${at} ${long}` }],
					},
		}),
	},
	pi: {
		first: { type: 'session', version: 3, id: uuid(0), timestamp: time(0), cwd: '/p' },
		message: (at, isPrompt) => ({
			type: 'message',
			id: at.toString(16).padStart(8, '0'),
			parentId: at === 1 ? null : (at - 1).toString(16).padStart(8, '0'),
			timestamp: time(at),
			message: isPrompt
				? { role: 'user', content: `Question ${at}`, timestamp: at }
				: {
						role: 'assistant',
						content: [{ type: 'text', text: `Answer ${at} ${long}` }],
						api: 'a',
						provider: 'p',
						model: 'm',
						usage: {},
						stopReason: 'stop',
						timestamp: at,
					},
		}),
	},
	clido: {
		first: { type: 'meta', session_id: 'abcdef0123456789', schema_version: 1, start_time: time(0), project_path: '/p' },
		message: (at, isPrompt) => ({
			type: isPrompt ? 'user_message' : 'assistant_message',
			...(isPrompt ? { role: 'user' } : {}),
			content: [{ type: 'text', text: isPrompt ? `Question ${at}` : `Answer ${at} ${long}` }],
		}),
	},
};

interface Shown {
	readonly parts: readonly { readonly kind: string; readonly text?: string; readonly entry: string }[];
}

describe.each(Object.keys(lines))('a large %s session', (format) => {
	it.each([1, 3, 60])('ends with the same %i turns, however it is read', async (turns) => {
		const stage = new ClientStage();
		onTestFinished(() => stage[Symbol.dispose]());
		const { first, message } = lines[format] as (typeof lines)[string];
		const all = [first, ...Array.from({ length: 2400 }, (_, at) => message(at + 1, at % 2 === 0))];
		writeFileSync(stage.file('large.jsonl'), `${all.map((line) => JSON.stringify(line)).join('\n')}\n`);
		const show = async (...args: string[]) =>
			JSON.parse((await stage.run(['show', 'large.jsonl', '--json', ...args])).out) as Shown;
		const end = (await show('-n', String(turns))).parts;
		expect(end[0]).toMatchObject({ kind: 'omitted' });
		// Nobody counted them where the end was enough.
		expect('entries' in (end[0] ?? {})).toBe(turns === 60);
		expect(end.slice(1)).toEqual((await show()).parts.slice(-2 * turns));
		const { out } = await stage.run(['show', 'large.jsonl', '-n', String(turns)]);
		expect(out).toMatch(/^… ([\d,]+ )?earlier entries$/m);
		expect(out).toContain(`❯ Question ${2401 - 2 * turns}`);
	});
});
