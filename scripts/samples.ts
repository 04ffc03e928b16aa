/** The bundled sample sessions: one small story, written by each codec as its client would. */
import { sampleFile } from '../src/cli/commands/demo.ts';
import { codecs } from '../src/codecs/index.ts';
import { deriveUuid } from '../src/codecs/shared/write/derive.ts';
import type { Block, Entry, Header, ModelResponse } from '../src/model/index.ts';

export interface SampleFile {
	readonly path: string;
	readonly bytes: Uint8Array;
}

/** Ids that documents and tests name. */
const ids: { readonly [format: string]: string } = {
	'claude-code': 'c1a0de00-5e55-4000-8000-00000000c0de',
	cline: 'c11e0000-5e55-4000-8000-00000000c0de',
	clido: 'c11d0000-5e55-4000-8000-00000000c0de',
	openclaw: '0c1a3000-5e55-4000-8000-00000000c0de',
};
const start = Date.parse('2026-03-02T09:00:00.000Z');

/** Each agent's session has an id of its own. */
export function sampleId(format: string): string {
	return ids[format] ?? deriveUuid('sample', format);
}

function story(): readonly Entry[] {
	const entries: Entry[] = [];
	let last: string | null = null;
	let responses = 0;
	const next = (): { id: string; time: string; records: readonly number[] } => {
		const count = entries.length + 1;
		return {
			id: `5e5510a0-0000-4000-8000-${count.toString(16).padStart(12, '0')}`,
			time: new Date(start + count * 2500).toISOString(),
			records: [],
		};
	};
	const say = (role: 'user' | 'assistant', content: readonly Block[], response?: ModelResponse): void => {
		const base = next();
		entries.push({ ...base, parent: last, kind: 'message', role, content, ...(response ? { response } : {}) });
		last = base.id;
	};
	const reply = (content: readonly Block[], output: number): void => {
		responses += 1;
		say('assistant', content, {
			id: `msg_sample_${responses}`,
			request: `req_sample_${responses}`,
			provider: 'anthropic',
			api: 'anthropic-messages',
			model: 'claude-sonnet-4-5',
			stop: content.some((block) => block.type === 'tool_call') ? 'tool' : 'end',
			usage: { input: 12, output, cacheRead: 1800 * responses, cacheWrite5m: 240, cacheWrite1h: 0 },
			costUsd: 0.0021 * responses,
		});
	};
	entries.push({ ...next(), kind: 'setting', set: { title: 'Why does the parser test fail?' } });
	say('user', [{ type: 'text', text: 'The test of parse() fails on empty input. Please find out why and fix it.' }]);
	reply(
		[
			{
				type: 'thinking',
				text: 'I should read the function and its test first.',
				signature: 'c2FtcGxlLXNpZ25hdHVyZQ==',
			},
			{ type: 'text', text: 'I will read the parser and its test.' },
			{ type: 'tool_call', id: 'toolu_sample_1', name: 'Read', input: { file_path: '/home/dev/notes/src/parse.ts' } },
			{
				type: 'tool_call',
				id: 'toolu_sample_2',
				name: 'Read',
				input: { file_path: '/home/dev/notes/src/parse.test.ts' },
			},
		],
		96,
	);
	const answer = (call: string, name: string, text: string, isError = false): void =>
		say('user', [{ type: 'tool_result', call, name, content: [{ type: 'text', text }], isError }]);
	answer(
		'toolu_sample_1',
		'Read',
		"export function parse(text: string) {\n\treturn text.split('\\n').map(Number);\n}\n",
	);
	answer(
		'toolu_sample_2',
		'Read',
		"test('empty input gives an empty list', () => {\n\texpect(parse('')).toEqual([]);\n});\n",
	);
	reply(
		[
			{ type: 'text', text: "''.split('\\n') is [''], so parse('') gives [0]. I return early instead." },
			{
				type: 'tool_call',
				id: 'toolu_sample_3',
				name: 'Edit',
				input: {
					file_path: '/home/dev/notes/src/parse.ts',
					old_string: "return text.split('\\n').map(Number);",
					new_string: "return text === '' ? [] : text.split('\\n').map(Number);",
				},
			},
		],
		120,
	);
	answer('toolu_sample_3', 'Edit', 'The file /home/dev/notes/src/parse.ts has been updated.');
	reply([{ type: 'tool_call', id: 'toolu_sample_4', name: 'Bash', input: { command: 'npm test' } }], 30);
	answer('toolu_sample_4', 'Bash', 'Exit code 1\nsh: 1: vitest: not found', true);
	reply(
		[{ type: 'text', text: 'The fix is in place; the test runner is not installed here, so I could not run it.' }],
		28,
	);
	say('user', [{ type: 'text', text: 'Thanks, I ran it: all green.' }]);
	reply(
		[
			{
				type: 'text',
				text: 'Good. An empty line inside the text still becomes 0; say so if that should be skipped too.',
			},
		],
		25,
	);
	return entries;
}

export function sampleSessions(): readonly SampleFile[] {
	const facts: Header = {
		cwd: '/home/dev/notes',
		created: new Date(start).toISOString(),
		title: 'Why does the parser test fail?',
		model: 'claude-sonnet-4-5',
		provider: 'anthropic',
		gitBranch: 'main',
	};
	return codecs.flatMap((codec) => {
		const path = sampleFile(codec);
		const id = sampleId(codec.id);
		const header: Header = { id, ...facts };
		// Where the session would lie at home: some clients write it down in a file beside it.
		const home = `/home/dev/.cline/data/sessions/${id}/${id}.messages.json`;
		const encoded = codec.write.encode({ profile: 'client', id, header, entries: story(), path: home });
		const beside = encoded.beside.map((file) => ({ path: file.path.replace(id, codec.id), bytes: file.bytes }));
		return [{ path, bytes: encoded.bytes }, ...beside];
	});
}
