/** `reprise repair` as its users meet it: one JSON document, exit codes, and words. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../main.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'repair-cli-'));
	vi.stubEnv('REPRISE_HOME', join(folder, 'own'));
	vi.stubEnv('NO_COLOR', '1');
});
afterEach(() => {
	vi.unstubAllEnvs();
	vi.restoreAllMocks();
	rmSync(folder, { recursive: true });
});

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
	const pieces: string[] = [];
	vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
		pieces.push(String(piece));
		return true;
	});
	const code = await main(args);
	vi.restoreAllMocks();
	return { code, out: pieces.join('') };
}

const meta =
	'{"type":"meta","session_id":"w1","schema_version":1,"start_time":"2026-01-01T00:00:00Z","project_path":"/p"}\n';
const prompt = '{"type":"user_message","role":"user","content":[{"text":"hi","type":"text"}]}\n';

function place(text: string): string {
	const path = join(folder, 'w1.jsonl');
	writeFileSync(path, text);
	return path;
}

describe('reprise repair', () => {
	test('prints the diff, what was done, what is lost, and where the original is', async () => {
		const path = place(`${meta + prompt}garbage\n`);
		const { code, out } = await run('repair', path);
		expect(code).toBe(0);
		expect(out).toContain('-garbage');
		expect(out).toContain('line 3: took out a line that is not JSON (8 bytes) [clido/not-json]');
		expect(out).toContain('1 change, 1 part gone; ');
		expect(out.match(/not JSON/g)).toHaveLength(1);
		expect(out).toContain(`the original is ${path}.reprise-original`);
		expect(readFileSync(path, 'utf8')).toBe(meta + prompt);
	});

	test('--json prints one document', async () => {
		const path = place(`${meta + prompt}garbage\n`);
		const { code, out } = await run('repair', path, '--json', '--dry-run');
		expect(code).toBe(0);
		const document = JSON.parse(out) as { [key: string]: unknown };
		expect(document).toMatchObject({ format: 'clido', changed: true, ok: true, out: null, kept: null, unrepaired: [] });
		expect(document.diff).toContain('-garbage');
	});

	test('a sound session: nothing to repair, exit 0', async () => {
		const { code, out } = await run('repair', place(meta + prompt));
		expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('nothing to repair') });
	});

	test('-o of a sound session: a copy of it, and the output says so', async () => {
		const copy = join(folder, 'copy.jsonl');
		const { code, out } = await run('repair', place(meta + prompt), '-o', copy);
		expect(code).toBe(0);
		expect(out).toContain(`nothing to repair; ${copy} is a copy of it`);
		expect(readFileSync(copy, 'utf8')).toBe(meta + prompt);
	});

	test('a session without its line breaks: the message names the way to rescue it, and that works', async () => {
		const path = place((meta + prompt).replaceAll('\n', ''));
		const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
		expect(await main(['repair', path])).toBe(1);
		const said = told.mock.calls
			.map(([piece]) => String(piece))
			.join('')
			.replaceAll(/\s+/g, ' ');
		expect(said).toContain('lost its line breaks, repair it with --format and the name of its agent');
		expect((await run('repair', path, '--format', 'clido')).code).toBe(0);
		expect(readFileSync(path, 'utf8')).toContain('"text":"hi"');
	});

	test('what cannot be repaired: the reason, exit 1', async () => {
		const { code, out } = await run('repair', place(meta.replace('"schema_version":1', '"schema_version":2') + prompt));
		expect(code).toBe(1);
		expect(out).toContain('not repaired: line 1: the file is not damaged: a newer Clido wrote it');
	});

	test('an option that does not exist is wrong usage', async () => {
		vi.spyOn(process.stderr, 'write').mockReturnValue(true);
		expect((await run('repair', place(meta), '--thinking', 'loud')).code).toBe(2);
	});
});
