/** Damage to Claude Code's files that the corpus has no case for. */
import { type Damaged, type Fields, one, text } from './make.ts';

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
		one(
			'pointer-to-a-sub-agent',
			'the pointer names a line of a sub-agent',
			changed(([a, b, c, d]) => [
				a,
				b,
				c,
				{ ...c, isSidechain: true, agentId: 'a1b2c3d', uuid: 'aaaaaaaa-0000-4000-8000-000000000005' },
				d,
				{
					type: 'last-prompt',
					lastPrompt: 'U1',
					leafUuid: 'aaaaaaaa-0000-4000-8000-000000000005',
					sessionId: a.sessionId,
				},
			]),
		),
	];
}
