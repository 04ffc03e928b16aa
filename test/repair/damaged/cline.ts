/** Damage to Cline's documents that the corpus has no case for. */
import { type Damaged, type Fields, one } from './make.ts';

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
