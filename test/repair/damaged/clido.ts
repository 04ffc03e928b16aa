/** Damage to Clido's files that the corpus has no case for. */
import { type Damaged, type Fields, one, text } from './make.ts';

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
