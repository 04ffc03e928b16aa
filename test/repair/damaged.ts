/** Damage that the corpus has no file for, made from small sound sessions. */
import type { Damaged } from './cases.ts';

type Fields = { [key: string]: unknown };

const text = (lines: readonly (Fields | string)[]): Uint8Array =>
	Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

const one = (name: string, wrong: string, bytes: Uint8Array, options?: Damaged['options']): Damaged => ({
	name,
	wrong,
	bytes,
	...(options ? { options } : {}),
});

/** `U1`, a reply with a call, its result, `A2`. */
function claudeLines(): [Fields, Fields, Fields, Fields] {
	const uuid = (n: number): string => `aaaaaaaa-0000-4000-8000-00000000000${n}`;
	const line = (n: number, fields: Fields): Fields => ({
		parentUuid: n === 1 ? null : uuid(n - 1),
		isSidechain: false,
		userType: 'external',
		cwd: '/tmp/proj/demo-app',
		sessionId: '22222222-2222-4222-8222-222222222222',
		version: '2.1.29',
		gitBranch: 'main',
		uuid: uuid(n),
		timestamp: `2026-01-03T10:00:0${n}.000Z`,
		...fields,
	});
	const reply = (n: number, content: readonly Fields[]): Fields =>
		line(n, {
			type: 'assistant',
			requestId: `req_${n}`,
			message: {
				id: `msg_${n}`,
				type: 'message',
				role: 'assistant',
				model: 'claude-opus-4-5-20251101',
				content,
				stop_reason: null,
				stop_sequence: null,
				usage: { input_tokens: 5, output_tokens: 5 },
			},
		});
	const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/tmp/proj/demo-app/a' } };
	return [
		line(1, { type: 'user', message: { role: 'user', content: 'U1' } }),
		reply(2, [{ type: 'text', text: 'A1' }, call]),
		line(3, {
			type: 'user',
			message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'res1' }] },
		}),
		reply(4, [{ type: 'text', text: 'A2' }]),
	];
}

function contentOf(line: Fields): Fields[] {
	return (line.message as Fields).content as Fields[];
}

export function claudeCodeDamage(): readonly Damaged[] {
	const changed = (change: (lines: [Fields, Fields, Fields, Fields]) => readonly (Fields | string)[]): Uint8Array =>
		text(change(claudeLines()));
	const glued = JSON.stringify(claudeLines()[1]).slice(0, 300);
	return [
		one(
			'null-line',
			'a line that is no object',
			changed(([a, b, c, d]) => [a, b, 'null', c, d]),
		),
		one(
			'cycle',
			'the first line follows the last',
			changed(([a, b, c, d]) => [{ ...a, parentUuid: d.uuid }, b, c, d]),
		),
		one(
			'duplicate-uuid',
			'two lines share a uuid',
			changed(([a, b, c, d]) => [a, b, { ...c, uuid: b.uuid }, { ...d, parentUuid: b.uuid }]),
		),
		one(
			'no-uuid',
			'messages without uuid',
			changed((lines) => lines.map(({ uuid: _, parentUuid: __, ...rest }) => rest)),
		),
		one(
			'glued',
			'a line was written onto an unfinished one',
			changed(([a, b, c, d]) => [a, b, glued + JSON.stringify(c), d]),
		),
		one(
			'nul-bytes',
			'NULs in the middle of a line',
			changed(([a, b, c, d]) => [a, b, JSON.stringify(c).replace('res1', 're\u0000\u0000s1'), d]),
		),
		one('zero-tail', 'the file ends in zeros', Buffer.concat([changed((lines) => lines), new Uint8Array(300)])),
		one(
			'garbage-message',
			'a message of the chain cannot be read',
			changed(([a, b, c, d]) => [a, JSON.stringify(b).replace('{"id"', '{id"'), c, d]),
		),
		one(
			'bad-tool-id',
			'a tool call id that the API rejects',
			changed(([a, b, c, d]) => {
				Object.assign(contentOf(b)[1] as Fields, { id: 'functions.read:0' });
				Object.assign(contentOf(c)[0] as Fields, { tool_use_id: 'functions.read:0' });
				return [a, b, c, d];
			}),
		),
		one(
			'call-twice',
			'two calls share an id',
			changed(([a, b, c, d]) => {
				contentOf(d).push({ ...(contentOf(b)[1] as Fields) });
				const again = {
					...c,
					uuid: 'aaaaaaaa-0000-4000-8000-000000000005',
					parentUuid: d.uuid,
					timestamp: '2026-01-03T10:00:05.000Z',
				};
				return [a, b, c, d, again];
			}),
		),
		one(
			'empty-signature',
			'thinking with an empty signature',
			changed(([a, b, c, d]) => {
				contentOf(b).unshift({ type: 'thinking', thinking: 'TH', signature: '' });
				return [a, b, c, d];
			}),
		),
		one(
			'stale-signature',
			'signed thinking that the model no longer takes (--thinking drop)',
			changed(([a, b, c, d]) => {
				contentOf(b).unshift({ type: 'thinking', thinking: 'TH', signature: 'c2lnbmVk' });
				return [a, b, c, d];
			}),
			{ thinking: 'drop' },
		),
		one(
			'null-content',
			'a user message without content',
			changed(([a, b, c, d]) => [
				a,
				b,
				c,
				d,
				{
					...a,
					uuid: 'aaaaaaaa-0000-4000-8000-000000000005',
					parentUuid: d.uuid,
					timestamp: '2026-01-03T10:00:05.000Z',
					message: { role: 'user' },
				},
			]),
		),
		one(
			'stale-pointer',
			'the pointer names a branch that was left',
			changed(([a, b, c, d]) => [
				a,
				b,
				c,
				d,
				{ type: 'last-prompt', lastPrompt: 'U1', leafUuid: d.uuid, explicit: true, sessionId: a.sessionId },
				{
					...a,
					message: { role: 'user', content: 'U2' },
					uuid: 'aaaaaaaa-0000-4000-8000-000000000005',
					parentUuid: c.uuid,
					timestamp: '2026-01-03T10:00:05.000Z',
				},
				{
					...d,
					message: { ...(d.message as Fields), id: 'msg_6', content: [{ type: 'text', text: 'A3' }] },
					uuid: 'aaaaaaaa-0000-4000-8000-000000000006',
					parentUuid: 'aaaaaaaa-0000-4000-8000-000000000005',
					timestamp: '2026-01-03T10:00:06.000Z',
				},
			]),
		),
	];
}

function piLines(): [Fields, Fields, Fields, Fields, Fields] {
	const line = (n: number, fields: Fields): Fields => ({
		type: 'message',
		id: `0000000${n}`,
		parentId: n === 1 ? null : `0000000${n - 1}`,
		timestamp: `2026-01-01T00:00:0${n}.000Z`,
		...fields,
	});
	const reply = (n: number, content: readonly Fields[], stopReason: string): Fields =>
		line(n, {
			message: {
				role: 'assistant',
				content,
				api: 'anthropic-messages',
				provider: 'anthropic',
				model: 'claude-opus-4-6',
				usage: {
					input: 1,
					output: 1,
					cacheRead: 0,
					cacheWrite: 0,
					totalTokens: 2,
					cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
				},
				stopReason,
				timestamp: 1740000000000 + n,
			},
		});
	return [
		{ type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/tmp' },
		line(1, { message: { role: 'user', content: 'U1', timestamp: 1740000000001 } }),
		reply(
			2,
			[
				{ type: 'text', text: 'A1' },
				{ type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'a' } },
			],
			'toolUse',
		),
		line(3, {
			message: {
				role: 'toolResult',
				toolCallId: 'call_1',
				toolName: 'read',
				content: [{ type: 'text', text: 'res1' }],
				isError: false,
				timestamp: 1740000000003,
			},
		}),
		reply(4, [{ type: 'text', text: 'A2' }], 'stop'),
	];
}

export function openclawDamage(): readonly Damaged[] {
	const changed = (
		change: (lines: [Fields, Fields, Fields, Fields, Fields]) => readonly (Fields | string)[],
	): Uint8Array => text(change(piLines()));
	return [
		one(
			'cycle',
			'the first line follows the last',
			changed(([h, a, b, c, d]) => [h, { ...a, parentId: d.id }, b, c, d]),
		),
		one(
			'no-ids',
			'version 3 without ids',
			changed(([h, ...lines]) => [h, ...lines.map(({ id: _, parentId: __, ...rest }) => rest)]),
		),
		one(
			'duplicate-id',
			'two lines share an id',
			changed(([h, a, b, c, d]) => [h, a, b, { ...c, id: b.id }, { ...d, parentId: b.id }]),
		),
		one(
			'no-header',
			'the header line is gone',
			changed(([, ...lines]) => lines),
		),
		one(
			'number-line',
			'a line that is no object comes last',
			changed((lines) => [...lines, '42']),
		),
		one(
			'byte-order-mark',
			'a byte order mark',
			Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), changed((lines) => lines)]),
		),
		one(
			'glued',
			'a line was written onto an unfinished one',
			changed(([h, a, b, c, d]) => [
				h,
				a,
				b,
				JSON.stringify(c).slice(0, 90) + JSON.stringify({ ...d, parentId: b.id }),
			]),
		),
		one(
			'orphan-result',
			'a result without its call',
			changed(([h, a, b, c, d]) => {
				((b.message as Fields).content as Fields[]).pop();
				return [h, a, b, c, d];
			}),
		),
		one(
			'open-call',
			'a call without a result, and the conversation goes on',
			changed(([h, a, b, , d]) => [h, a, b, { ...d, parentId: b.id }]),
		),
		one(
			'late-result',
			'a result after the next reply',
			changed(([h, a, b, c, d]) => [h, a, b, { ...d, parentId: b.id }, { ...c, parentId: d.id }]),
		),
		one(
			'string-result',
			'content of a result is a string',
			changed(([h, a, b, c, d]) => [h, a, b, { ...c, message: { ...(c.message as Fields), content: 'res1' } }, d]),
		),
		one(
			'document-block',
			'a block that pi cannot send',
			changed(([h, a, b, c, d]) => [
				h,
				{
					...a,
					message: {
						role: 'user',
						content: [
							{ type: 'text', text: 'U1' },
							{ type: 'document', text: 'D1' },
						],
						timestamp: 1,
					},
				},
				b,
				c,
				d,
			]),
		),
	];
}

function clidoLines(): [Fields, Fields, Fields, Fields, Fields, Fields] {
	return [
		{
			type: 'meta',
			session_id: '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11',
			schema_version: 1,
			start_time: '2026-03-21T14:30:00.123456789+00:00',
			project_path: '/home/user/projects/my-app',
		},
		{ type: 'user_message', role: 'user', content: [{ text: 'U1', type: 'text' }] },
		{
			type: 'assistant_message',
			content: [
				{ text: 'A1', type: 'text' },
				{ id: '1', input: { file_path: 'a' }, name: 'Read', type: 'tool_use' },
			],
		},
		{ type: 'tool_call', tool_use_id: '1', tool_name: 'Read', input: { file_path: 'a' } },
		{ type: 'tool_result', tool_use_id: '1', content: 'res1', is_error: false },
		{ type: 'assistant_message', content: [{ text: 'A2', type: 'text' }] },
	];
}

export function clidoDamage(): readonly Damaged[] {
	type Lines = [Fields, Fields, Fields, Fields, Fields, Fields];
	const changed = (change: (lines: Lines) => readonly (Fields | string)[]): Uint8Array => text(change(clidoLines()));
	const whole = changed((lines) => lines);
	return [
		one('torn', 'the last line is unfinished', whole.subarray(0, -20)),
		one(
			'title-overwrite',
			'the rest of a title line that the next line was written over',
			changed(([m, u, a, c, r, e]) => [m, u, 'a title that was longer"}', a, c, r, e]),
		),
		one('byte-order-mark', 'a byte order mark', Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), whole])),
		one(
			'not-utf8',
			'bytes that are not UTF-8',
			Buffer.from(Buffer.from(whole).toString('latin1').replace('res1', 're\u00ffs1'), 'latin1'),
		),
		one(
			'field-twice',
			'a known field given twice',
			changed(([m, u, a, c, r, e]) => [
				m,
				u,
				a,
				c,
				JSON.stringify(r).replace('"is_error"', '"content":"res1","is_error"'),
				e,
			]),
		),
		one(
			'half-surrogate',
			'half of a surrogate pair',
			changed(([m, u, a, c, r, e]) => [m, u, a, c, JSON.stringify(r).replace('res1', 'res1\\ud83d'), e]),
		),
		one(
			'late-result',
			'a result after the next reply',
			changed(([m, u, a, c, r, e]) => [m, u, a, c, e, r]),
		),
		one(
			'array-result',
			'content of a result is an array',
			changed(([m, u, a, c, r, e]) => [m, u, a, c, { ...r, content: [{ type: 'text', text: 'res1' }] }, e]),
		),
		one(
			'meta-below',
			'the meta line is not the first',
			changed(([m, u, a, c, r, e]) => [u, m, a, c, r, e]),
		),
		one(
			'deep-input',
			'an input nested too deep',
			changed(([m, u, a, c, r, e]) => [
				m,
				u,
				JSON.stringify(a).replace('{"file_path":"a"}', `${'{"a":'.repeat(130)}1${'}'.repeat(130)}`),
				c,
				r,
				e,
			]),
		),
		one(
			'api-image',
			'an image in the shape of the API',
			changed(([m, u, a, c, r, e]) => [
				m,
				{
					...u,
					content: [
						{ type: 'text', text: 'U1' },
						{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
					],
				},
				a,
				c,
				r,
				e,
			]),
		),
	];
}

function clineMessages(): [Fields, Fields, Fields, Fields] {
	return [
		{ id: 'm1', role: 'user', content: [{ type: 'text', text: 'U1' }], ts: 1 },
		{
			id: 'm2',
			role: 'assistant',
			content: [
				{ type: 'text', text: 'A1' },
				{ type: 'tool_use', id: 't1', name: 'run_commands', input: { commands: ['x'] } },
			],
			ts: 2,
		},
		{
			id: 'm3',
			role: 'user',
			content: [{ type: 'tool_result', tool_use_id: 't1', name: 'run_commands', content: 'res1' }],
			ts: 3,
		},
		{ id: 'm4', role: 'assistant', content: [{ type: 'text', text: 'A2' }], ts: 4 },
	];
}

export function clineDamage(): readonly Damaged[] {
	type Messages = [Fields, Fields, Fields, Fields];
	const document = (messages: readonly unknown[]): string =>
		`${JSON.stringify({ version: 1, updated_at: '2026-01-01T00:00:00.000Z', agent: 'lead', sessionId: '1700000000000_broke', messages, system_prompt: 'S' }, null, 2)}\n`;
	const changed = (change: (messages: Messages) => readonly unknown[]): Uint8Array =>
		Buffer.from(document(change(clineMessages())));
	const whole = document(clineMessages());
	return [
		one('torn', 'the document is cut off in its last message', Buffer.from(whole.slice(0, whole.indexOf('"A2"')))),
		one(
			'torn-tail',
			'the document is cut off after its messages',
			Buffer.from(whole.slice(0, whole.indexOf('"system_prompt"') + 8)),
		),
		one(
			'garbage',
			'a quote is missing in the second message',
			Buffer.from(whole.replace('"text": "A1"', '"text": "A1')),
		),
		one(
			'no-comma',
			'a comma between messages is missing',
			Buffer.from(whole.replace('},\n    {\n      "id": "m3"', '}\n    {\n      "id": "m3"')),
		),
		one(
			'null-message',
			'a message that is null',
			changed(([a, b, c, d]) => [a, null, b, c, d]),
		),
		one(
			'system-role',
			'a message of role system',
			changed(([a, b, c, d]) => [{ id: 'm0', role: 'system', content: [{ type: 'text', text: 'S1' }] }, a, b, c, d]),
		),
		one(
			'no-name',
			'a result without the name of its tool',
			changed(([a, b, c, d]) => [
				a,
				b,
				{ ...c, content: [{ type: 'tool_result', tool_use_id: 't1', content: 'res1' }] },
				d,
			]),
		),
		one(
			'orphan-result',
			'a result without its call',
			changed(([a, b, c, d]) => [a, { ...b, content: [{ type: 'text', text: 'A1' }] }, c, d]),
		),
		one(
			'result-twice',
			'a second result of a call',
			changed(([a, b, c, d]) => [a, b, c, { ...c, id: 'm5' }, d]),
		),
		one(
			'late-result',
			'a result after the next reply',
			changed(([a, b, c, d]) => [a, b, { id: 'm5', role: 'user', content: [{ type: 'text', text: 'U2' }] }, d, c]),
		),
		one(
			'null-block',
			'a block that is null',
			changed(([a, b, c, d]) => [a, { ...b, content: [null, ...(b.content as Fields[])] }, c, d]),
		),
		one(
			'api-image',
			'an image in the shape of the API',
			changed(([a, b, c, d]) => [
				{
					...a,
					content: [
						...(a.content as Fields[]),
						{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
					],
				},
				b,
				c,
				d,
			]),
		),
		one(
			'user-thinking',
			'thinking in a user message',
			changed(([a, b, c, d]) => [
				{ ...a, content: [{ type: 'thinking', thinking: 'TH' }, ...(a.content as Fields[])] },
				b,
				c,
				d,
			]),
		),
	];
}
