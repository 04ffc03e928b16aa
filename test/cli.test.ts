/** The command line as its users meet it: documents, exit codes, and what it does with what is no session. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codecs } from '../src/codecs/index.ts';
import { copySession } from '../src/store/manage/copy.ts';
import { corpusFiles } from './support/corpus.ts';
import { fileNamed, sampleOf } from './support/sessions.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin/reprise.js');
const scratch = mkdtempSync(join(tmpdir(), 'reprise-cli-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
// Examples are run as they stand, without a word about where things are kept: that is in the scratch folder too.
Object.assign(process.env, { HOME: join(scratch, 'home'), REPRISE_HOME: join(scratch, 'own') });

interface Run {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

function reprise(...args: readonly string[]): Run {
	const run = spawnSync(process.execPath, [bin, ...args], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, NO_COLOR: '1' },
	});
	return { code: run.status, out: run.stdout, err: run.stderr };
}

describe('inspect and check', () => {
	it.each(codecs.map((codec) => codec.id))('inspect tells what a %s session is', (format) => {
		const { code, out, err } = reprise('inspect', sampleOf[format], '--json');
		expect({ code, err }).toEqual({ code: 0, err: '' });
		const document = JSON.parse(out) as { [key: string]: unknown };
		expect(document).toMatchObject({ format, cwd: '/home/dev/notes', branches: 1, subagents: [], issues: [] });
		for (const key of ['dialect', 'sessionId', 'records', 'blocks', 'entries']) expect(document).toHaveProperty(key);
	});

	it.each(codecs.map((codec) => codec.id))('check finds nothing wrong with a %s session of its client', (format) => {
		const { code, out } = reprise('check', sampleOf[format], '--profile', 'client', '--json');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({ format, ok: true, issues: [] });
	});

	it('check exits with 1 and says where, when an error is present', () => {
		const file = join(scratch, 'bad.jsonl');
		writeFileSync(file, `${readFileSync(sampleOf.clido, 'utf8')}{"type":"nonsense"}\n`);
		const { code, out } = reprise('check', file, '--json');
		expect(code).toBe(1);
		const { ok, issues } = JSON.parse(out) as {
			ok: boolean;
			issues: { severity: string; line: number; offset: number }[];
		};
		expect(ok).toBe(false);
		const error = issues.find((issue) => issue.severity === 'error');
		expect(error?.line).toBeGreaterThan(10);
		expect(error?.offset).toBeGreaterThan(100);
	});
});

describe('what is no session', () => {
	const made = (name: string, content: string | Uint8Array): string => {
		const path = join(scratch, name);
		writeFileSync(path, content);
		return path;
	};
	const cases: readonly (readonly [string, () => string])[] = [
		['an empty file', () => made('empty.jsonl', '')],
		['a folder', () => scratch],
		['a missing file', () => join(scratch, 'missing.jsonl')],
		['a binary', () => made('binary.bin', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 255, 10, 0))],
		['JSON of something else', () => made('package.json', '{\n  "name": "x",\n  "version": "1.0.0"\n}\n')],
		['a text file', () => made('notes.txt', 'hello\nworld\n')],
	];

	it.each(cases)('%s gets a clear answer from every command, exit 1, and nothing is written', (_, path) => {
		const file = path();
		const out = join(scratch, 'out.jsonl');
		const checked = reprise('check', file, '--json');
		expect(checked.code).toBe(1);
		expect(JSON.parse(checked.out)).toMatchObject({ format: null, ok: false, issues: [{ rule: 'unknown-format' }] });
		const inspected = reprise('inspect', file, '--json');
		expect(inspected.code).toBe(1);
		expect(JSON.parse(inspected.out)).toMatchObject({ format: null, issues: [{ rule: 'unknown-format' }] });
		const converted = reprise('convert', file, '--to', 'clido', '-o', out);
		expect(converted.code).toBe(1);
		for (const run of [checked, inspected, converted]) {
			expect(run.err.trim().split('\n')).toHaveLength(1);
			expect(run.err).toContain(file);
			expect(run.err).not.toMatch(/\bat .*:\d+:\d+/);
		}
		expect(existsSync(out)).toBe(false);
	});
});

describe('convert', () => {
	it('to its own format it is the identity, for every file of the corpus', async () => {
		for (const [index, file] of corpusFiles().entries()) {
			const bytes = file.bytes();
			if (bytes.length === 0) continue;
			const out = join(scratch, 'identity', String(index), fileNamed(file.format, 'out'));
			await copySession(file.path, out, file.format);
			expect(readFileSync(out).equals(Buffer.from(bytes)), file.name).toBe(true);
		}
	});

	it('prints the document that scripts rely on', () => {
		const out = join(scratch, 'copy.jsonl');
		const { code, out: printed } = reprise('convert', sampleOf.openclaw, '--to', 'openclaw', '-o', out, '--json');
		expect(code).toBe(0);
		expect(JSON.parse(printed)).toMatchObject({ out: [out], losses: [] });
	});

	it('never writes over a file', () => {
		const out = join(scratch, 'taken.jsonl');
		writeFileSync(out, 'mine');
		const { code, err } = reprise('convert', sampleOf.clido, '--to', 'clido', '-o', out);
		expect(code).toBe(1);
		expect(err).toContain('exists already');
		expect(readFileSync(out, 'utf8')).toBe('mine');
	});

	it('takes sub-agents along under the new name', () => {
		const file = corpusFiles('claude-code').find((one) => one.version === '2.1.325' && one.scenario === 'subagents');
		const out = join(scratch, 'with-subagents', 'moved.jsonl');
		const { code, out: printed } = reprise(
			...['convert', file?.path ?? '', '--to', 'claude-code', '-o', out, '--parents', '--json'],
		);
		expect(code).toBe(0);
		const written = (JSON.parse(printed) as { out: string[] }).out;
		expect(
			written.filter((path) => path.startsWith(join(scratch, 'with-subagents', 'moved', 'subagents'))),
		).not.toEqual([]);
		for (const path of written) expect(existsSync(path)).toBe(true);
	});

	it('a trailing slash lays out a home that the client finds', () => {
		const home = `${join(scratch, 'home')}/`;
		const { code, out } = reprise('convert', sampleOf['claude-code'], '--to', 'claude-code', '-o', home, '--json');
		expect(code).toBe(0);
		const [main] = (JSON.parse(out) as { out: string[] }).out;
		expect(main).toBe(
			join(scratch, 'home/.claude/projects/-home-dev-notes/c1a0de00-5e55-4000-8000-00000000c0de.jsonl'),
		);
	});
});

describe('usage', () => {
	it('wrong usage exits with 2 and points to the help', () => {
		for (const args of [
			['inspect'],
			['nonsense'],
			['check', 'x', '--profile', 'odd'],
			['convert', 'x', '--to', 'odd', '-o', 'y'],
		]) {
			const { code, err } = reprise(...args);
			expect({ args, code }).toEqual({ args, code: 2 });
			expect(err).toMatch(/^reprise: .* \(.*see reprise .*--help\)\n$/);
		}
	});

	it('--version prints the version of package.json', () => {
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		expect(reprise('--version').out).toBe(`${version}\n`);
	});

	it('help lists every command with a summary, and each has an example that runs', () => {
		const help = reprise('--help').out;
		for (const name of ['inspect', 'check', 'convert', 'demo']) {
			expect(help).toContain(name);
			const own = reprise(name, '--help').out;
			const examples = [...own.matchAll(/^ {2}reprise (.*)$/gm)].map((match) => match[1] as string);
			expect(examples.length, name).toBeGreaterThan(0);
			for (const example of examples) {
				const folder = mkdtempSync(join(scratch, 'example-'));
				cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
				const run = spawnSync(process.execPath, [bin, ...example.split(' ')], { cwd: folder, encoding: 'utf8' });
				// The demonstration's agent tries something that fails, and its replay runs commands: both are said.
				const err = run.stderr.replace(
					/^reprise: (1 tool call failed|going on with|recorded commands start).*\n/gm,
					'',
				);
				expect({ example, code: run.status, err }).toEqual({ example, code: 0, err: '' });
			}
		}
	});

	it('a closed pipe is no error', () => {
		const command = `"${process.execPath}" "${bin}" inspect "${sampleOf.clido}" --json | head -n 1`;
		const out = execFileSync('bash', ['-c', `set -o pipefail; ${command}`], { cwd: root, encoding: 'utf8' });
		expect(out).toBe('{\n');
	});

	it('the demo ends well and leaves nothing behind', () => {
		const folder = join(scratch, 'demo-tmp');
		const own = join(scratch, 'demo-own');
		mkdirSync(folder);
		const run = spawnSync(process.execPath, [bin, 'demo'], {
			encoding: 'utf8',
			env: { ...process.env, TMPDIR: folder, REPRISE_HOME: own },
		});
		expect(run.status).toBe(0);
		expect(run.stdout).toContain('identical copies');
		expect(readdirSync(folder)).toEqual([]);
		// Only the compiled program is kept there, whatever is run.
		expect(existsSync(own) ? readdirSync(own).filter((name) => name !== 'compiled') : []).toEqual([]);
	});
});
