/** Damage to pi's files that the corpus has no case for. */
import { type Damaged, type Fields, one, text } from './make.ts';

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
