/** A picture in a tool's result stays a picture, whichever format the session goes to and comes from. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** As Cline's own tool for reading files writes it: deep inside its answer. */
const nested = [
	{
		query: 'logo.png',
		result: [
			{ type: 'text', text: 'a logo' },
			{ type: 'image', data: png, mediaType: 'image/png' },
		],
		success: true,
	},
];
const plain = [
	{ type: 'text', text: 'a logo' },
	{ type: 'image', data: png, mediaType: 'image/png' },
];

let count = 0;

function clineFile(content: unknown): string {
	const call = { type: 'tool_use', id: 'toolu_1', name: 'read_files', input: { files: ['logo.png'] } };
	const model = { ts: 1745343730123, modelInfo: { id: 'claude-sonnet-4-6', provider: 'anthropic' } };
	const messages = [
		{ id: 'm1', role: 'user', content: [{ type: 'text', text: 'what is it?' }], ts: 1745343730120 },
		{ id: 'm2', role: 'assistant', content: [call], ...model },
		{ id: 'm3', role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', name: 'read_files', content }] },
		{ id: 'm4', role: 'assistant', content: [{ type: 'text', text: 'a pixel' }], ...model },
	];
	const id = `1745343730123_pic0${++count}`;
	const path = join(stage.cwd, '..', `${id}.messages.json`);
	const head = { version: 1, updated_at: '2026-04-22T17:42:10.123Z', agent: 'lead', sessionId: id };
	writeFileSync(path, JSON.stringify({ ...head, messages }));
	return path;
}

async function converted(path: string, to: string, ...flags: readonly string[]): Promise<string> {
	const out = join(stage.cwd, '..', `out-${++count}${to === 'cline' ? '.messages.json' : '.jsonl'}`);
	const { code, err } = await stage.run(['convert', path, '--to', to, '-o', out, '--no-lineage', ...flags]);
	expect({ code, err }).toMatchObject({ code: 0 });
	return out;
}

/** Every text in a value that holds the picture's data, by the key that it stands under. */
function holders(value: unknown, key = ''): readonly string[] {
	if (typeof value === 'string') return value.includes(png.slice(20, 60)) ? [key] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => holders(inner, Array.isArray(value) ? key : name));
}

function pictureIn(path: string): readonly string[] {
	const text = readFileSync(path, 'utf8');
	return path.endsWith('.messages.json') ? holders(JSON.parse(text)) : framesIn(text).flatMap((line) => holders(line));
}

describe.each([
	['deep inside the answer', nested],
	['as a block', plain],
])('a picture that Cline holds %s', (_where, content) => {
	it('is an image block in Claude Code’s format', async () => {
		const out = await converted(clineFile(content), 'claude-code');
		expect(pictureIn(out)).toEqual(['data']);
		const results = framesIn(readFileSync(out, 'utf8')).filter(({ message }) =>
			JSON.stringify(message)?.includes('tool_result'),
		);
		const source = { type: 'base64', media_type: 'image/png', data: png };
		expect(JSON.stringify(results)).toContain(JSON.stringify({ type: 'image', source }));
		expect(JSON.stringify(results)).toContain('a logo');
	});

	it('is an image block in pi’s format', async () => {
		const out = await converted(clineFile(content), 'openclaw');
		expect(pictureIn(out)).toEqual(['data']);
		expect(readFileSync(out, 'utf8')).toContain(JSON.stringify({ type: 'image', data: png, mimeType: 'image/png' }));
	});

	it('is no text in Clido’s format, whose results hold texts only: that it is lost is said', async () => {
		const path = clineFile(content);
		const { out } = await stage.run([
			'convert',
			path,
			'--to',
			'clido',
			'-o',
			join(stage.cwd, '..', `c${++count}.jsonl`),
			'--json',
		]);
		const { out: files, losses } = JSON.parse(out) as { out: string[]; losses: { note: string }[] };
		expect(pictureIn(files[0] ?? '').filter((key) => key !== 'base64_data')).toEqual([]);
		expect(losses.map(({ note }) => note).join('\n')).toMatch(/image/);
	});

	it.each(['claude-code', 'openclaw'])('comes back from %s as Cline’s own image, in both profiles', async (via) => {
		const there = await converted(clineFile(content), via);
		for (const profile of ['client', 'published']) {
			const back = await converted(there, 'cline', '--profile', profile);
			expect(pictureIn(back)).toEqual(['data']);
			const text = readFileSync(back, 'utf8');
			expect(JSON.stringify(JSON.parse(text))).toContain(
				JSON.stringify({ type: 'image', data: png, mediaType: 'image/png' }),
			);
		}
	});

	it('is what a model gets that goes on with the session', async () => {
		const { out } = await stage.run(['context', clineFile(content), '--json']);
		expect(holders(JSON.parse(out))).toEqual(['data']);
	});
});
