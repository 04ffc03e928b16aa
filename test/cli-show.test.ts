/** `show` as its users meet it: every form of a transcript, whole and in order. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formats, sampleOf } from './support/sessions.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-show-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const bin = join(import.meta.dirname, '../bin/reprise.js');

function show(...args: readonly string[]) {
	const run = spawnSync(process.execPath, [bin, 'show', ...args], {
		env: { PATH: process.env.PATH, HOME: scratch, REPRISE_HOME: join(scratch, 'own'), TZ: 'UTC', COLUMNS: '80' },
		maxBuffer: 1 << 28,
	});
	return { code: run.status, out: run.stdout, text: run.stdout.toString(), err: run.stderr.toString() };
}

interface Shown {
	readonly parts: readonly { readonly kind: string; readonly entry: string; readonly text?: string }[];
}

const line = (uuid: string, parentUuid: string | null, content: unknown, type = 'user') =>
	`${JSON.stringify({ type, uuid, parentUuid, sessionId: 's', message: { role: type, content } })}\n`;

describe('show', () => {
	it.each(formats)(
		'of a %s session prints one JSON document, Markdown, and text without colours for a pipe',
		(format) => {
			const { code, text } = show(sampleOf[format], '--json', '--thinking');
			expect(code).toBe(0);
			const document = JSON.parse(text) as Shown;
			expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`);
			expect(document.parts.map((part) => part.kind)).toContain('thinking');
			expect(show(sampleOf[format], '--md').text).toMatch(
				/^# Why does the parser test fail\?\n\n.*\n\n## Prompt\n\nThe test of parse/,
			);
			const plain = show(sampleOf[format]);
			expect(plain.text).toContain('❯ The test of parse() fails');
			expect(plain.text).not.toContain('\u001b');
			expect(plain.err).toBe('');
		},
	);

	it('prints an empty document for a session without a conversation', () => {
		const file = join(scratch, 'empty.jsonl');
		writeFileSync(file, '{"type":"summary","summary":"nothing","leafUuid":"x"}\n');
		expect(JSON.parse(show(file, '--json').text)).toMatchObject({ parts: [] });
	});

	it('--ids names entries, and no line that stands for those left out', () => {
		const [first = '', ...rest] = show(sampleOf.clido, '-n', '1', '--ids').text.split('\n\n').slice(1);
		expect(first).toMatch(/^… \d+ earlier entries$/);
		expect(rest.join('\n\n')).toMatch(/^(?:── .* ──\n\n)?line:\d+\n❯ Thanks/);
	});

	it('--raw gives the bytes of the path as they are, invalid ones too, and a torn line its end', () => {
		const first = Buffer.from(line('a', null, 'one').replace('one', 'o\u0001e'), 'latin1');
		first[first.indexOf(1)] = 0xff;
		const bytes = Buffer.concat([
			first,
			Buffer.from(line('x', 'a', 'left behind')),
			Buffer.from(line('b', 'a', 'two')),
		]);
		const file = join(scratch, 'raw.jsonl');
		writeFileSync(file, bytes.subarray(0, -1));
		const wanted = Buffer.concat([first, Buffer.from(line('b', 'a', 'two'))]);
		expect(show(file, '--raw').out.equals(wanted)).toBe(true);
		expect(show(file, '--raw', '-n', '1').out.toString()).toBe(line('b', 'a', 'two'));
	});

	it('--at ends at an entry, named by a beginning of its id, and -n begins at the last turns', () => {
		const file = join(scratch, 'at.jsonl');
		writeFileSync(
			file,
			line('aa1', null, 'one') +
				line('bb2', 'aa1', 'first answer', 'assistant') +
				line('cc3', 'bb2', 'two') +
				line('dd4', 'cc3', 'second answer', 'assistant'),
		);
		const texts = (...args: readonly string[]) =>
			(JSON.parse(show(file, '--json', ...args).text) as Shown).parts.map((part) => part.text ?? part.kind);
		expect(texts('--at', 'bb')).toEqual(['one', 'first answer']);
		expect(texts('-n', '1')).toEqual(['omitted', 'two', 'second answer']);
		expect(texts('--at', 'cc3', '-n', '1')).toEqual(['omitted', 'two']);
		const missing = show(file, '--at', 'zz');
		expect(missing).toMatchObject({ code: 1, text: '' });
		expect(missing.err).toBe(`reprise: ${file} has no entry zz: reprise show SESSION --ids lists them\n`);
		expect(show(file, '-n', '0').code).toBe(2);
	});

	it('tells the entry that was named whatever it is, and says so when there is nothing to tell', () => {
		const file = join(scratch, 'named.jsonl');
		const thought = (text: string) => [{ type: 'thinking', thinking: text, signature: '' }];
		const queued = { type: 'queue-operation', operation: 'enqueue', sessionId: 's', content: 'later', timestamp: 'x' };
		writeFileSync(
			file,
			line('a1', null, 'one') +
				line('b2', 'a1', thought('hidden'), 'assistant') +
				line('c3', 'b2', thought('wanted'), 'assistant') +
				`${JSON.stringify(queued)}\n`,
		);
		expect(show(file, '--at', 'c3').text).toContain('∴ wanted');
		expect(show(file, '--at', 'c3').text).not.toContain('hidden');
		expect(show(file).text).not.toContain('wanted');
		expect(show(file, '--at', 'line:4').text).toContain('queue enqueue: later');
		const noted = join(scratch, 'noted.jsonl');
		writeFileSync(noted, `${JSON.stringify(queued)}\n`);
		expect(show(noted).text).toContain('nothing was said here; --events shows what its client noted');
		expect(show(noted, '--events').text).toContain('queue enqueue: later');
	});

	it('of a foreign text prints nothing that moves the cursor', () => {
		const file = join(scratch, 'escape.jsonl');
		const nasty = '\u001b[2J\u001b]0;owned\u0007\rdone\u0008';
		const result = [{ type: 'tool_result', tool_use_id: 't', content: nasty }];
		const call = [
			{ type: 'text', text: nasty },
			{ type: 'tool_use', id: 't', name: nasty, input: { command: nasty } },
		];
		writeFileSync(file, line('a', null, nasty) + line('b', 'a', call, 'assistant') + line('c', 'b', result));
		const { text } = show(file);
		expect(text).toContain('done');
		// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be printed.
		expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
	});

	it('reads a session that is larger than what it may hold', () => {
		const file = join(scratch, 'large.jsonl');
		const big = 'lorem ipsum '.repeat(20_000);
		let parent: string | null = null;
		const lines: string[] = [];
		for (let turn = 0; turn < 150; turn += 1) {
			lines.push(line(`u${turn}`, parent, `prompt ${turn}`));
			lines.push(
				line(`a${turn}`, `u${turn}`, [{ type: 'tool_use', id: `t${turn}`, name: 'Bash', input: {} }], 'assistant'),
			);
			lines.push(line(`r${turn}`, `a${turn}`, [{ type: 'tool_result', tool_use_id: `t${turn}`, content: big }]));
			parent = `r${turn}`;
		}
		writeFileSync(file, lines.join(''));
		const { code, text } = show(file, '--md');
		expect(code).toBe(0);
		expect(text.match(/^## Prompt$/gm)).toHaveLength(150);
		expect(text.length).toBeGreaterThan(readFileSync(file).length * 0.9);
	});
});
