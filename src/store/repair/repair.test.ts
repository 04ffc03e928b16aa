/** Laws of repair on disk: the original is never lost, nothing else is touched, and what is written can be resumed. */
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import type { Machine } from '../../codecs/index.ts';
import { checkFile } from '../reader/check.ts';
import { repairFile } from './repair.ts';

let folder = '';
let machine: Machine;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'repair-'));
	machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: join(folder, 'own') } };
});
afterEach(() => rmSync(folder, { recursive: true }));

const header = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/tmp"}\n';
const user =
	'{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hi","timestamp":1}}\n';
const torn = '{"type":"message","id":"b","par';
const damaged = header + user + torn;

function place(name: string, text: string | Uint8Array): string {
	const path = join(folder, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text, { mode: 0o600 });
	return path;
}

const sessions = (): readonly string[] =>
	readdirSync(folder)
		.filter((name) => name !== 'own')
		.sort();

describe('in place', () => {
	test('the file is replaced and the original is beside it, for its owner only', async () => {
		const path = place('s1.jsonl', damaged);
		const result = await repairFile(path, { machine });
		expect(result).toMatchObject({ changed: true, ok: true, out: path, kept: `${path}.reprise-original` });
		expect(readFileSync(path, 'utf8')).toBe(header + user);
		expect(readFileSync(`${path}.reprise-original`, 'utf8')).toBe(damaged);
		for (const file of [path, `${path}.reprise-original`]) expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(checkFile(path).ok).toBe(true);
	});

	test('an original that is kept already is never written over', async () => {
		const path = place('s1.jsonl', damaged);
		place('s1.jsonl.reprise-original', 'precious');
		const result = await repairFile(path, { machine });
		expect(result.kept).toBe(`${path}.reprise-original-2`);
		expect(readFileSync(`${path}.reprise-original`, 'utf8')).toBe('precious');
		writeFileSync(path, damaged);
		expect((await repairFile(path, { machine })).kept).toBe(`${path}.reprise-original-2`);
		expect(sessions()).toEqual(['s1.jsonl', 's1.jsonl.reprise-original', 's1.jsonl.reprise-original-2']);
	});

	test('a sound session is left alone, to the byte and to the second', async () => {
		const path = place('s1.jsonl', header + user);
		const before = statSync(path).mtimeMs;
		const result = await repairFile(path, { machine });
		expect(result).toMatchObject({ changed: false, ok: true, out: null, kept: null, diff: '' });
		expect(statSync(path).mtimeMs).toBe(before);
		expect(sessions()).toEqual(['s1.jsonl']);
	});

	test('repairing what is repaired changes nothing', async () => {
		const path = place('s1.jsonl', damaged);
		await repairFile(path, { machine });
		expect((await repairFile(path, { machine })).changed).toBe(false);
	});

	test('a dry run tells everything and writes nothing', async () => {
		const path = place('s1.jsonl', damaged);
		const result = await repairFile(path, { machine, dryRun: true });
		expect(result).toMatchObject({ changed: true, ok: true, out: null, kept: null });
		expect(result.changes).toEqual([
			{
				rule: 'openclaw/torn',
				line: 3,
				what: 'took out the unfinished last line (31 bytes)',
				losses: [{ entry: 'line:3', path: '', how: 'dropped', note: 'the unfinished last line, 31 bytes' }],
			},
		]);
		expect(result.diff).toContain(`-${torn}`);
		expect(readFileSync(path, 'utf8')).toBe(damaged);
		expect(sessions()).toEqual(['s1.jsonl']);
	});

	test('nothing is written through a symbolic link', async () => {
		const target = place('elsewhere.txt', damaged);
		mkdirSync(join(folder, 'project'));
		const path = join(folder, 'project', 's1.jsonl');
		symlinkSync(target, path);
		await expect(repairFile(path, { machine })).rejects.toMatchObject({ fault: 'link' });
		expect(readFileSync(target, 'utf8')).toBe(damaged);
	});

	test('a folder that may not be written to says so, and the file stays', async () => {
		const path = place('project/s1.jsonl', damaged);
		await asOrdinaryUser(folder, async () => {
			chmodSync(join(folder, 'project'), 0o500);
			await expect(repairFile(path, { machine })).rejects.toThrow('denied');
		});
		expect(readFileSync(path, 'utf8')).toBe(damaged);
	});
});

describe('elsewhere', () => {
	test('with another path the original is not touched', async () => {
		const path = place('s1.jsonl', damaged);
		const out = join(folder, 'mended.jsonl');
		const result = await repairFile(path, { machine, out });
		expect(result).toMatchObject({ out, kept: path });
		expect(readFileSync(path, 'utf8')).toBe(damaged);
		expect(readFileSync(out, 'utf8')).toBe(header + user);
		expect(statSync(out).mode & 0o777).toBe(0o600);
	});

	test('a file that is there is not written over', async () => {
		const path = place('s1.jsonl', damaged);
		const out = place('mended.jsonl', 'mine');
		await expect(repairFile(path, { machine, out })).rejects.toThrow('exists already');
		expect(readFileSync(out, 'utf8')).toBe('mine');
	});

	test('a Claude Code session whose id is no UUID is written under a name that the client takes', async () => {
		const line = (fields: object): string =>
			`${JSON.stringify({ isSidechain: false, sessionId: 'mine', timestamp: '2026-01-01T00:00:00.000Z', ...fields })}\n`;
		const text = line({ type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'hi' } });
		const path = place('mine.jsonl', text);
		const result = await repairFile(path, { machine });
		expect(result.out).toMatch(/[0-9a-f-]{36}\.jsonl$/);
		expect(result.kept).toBe(path);
		expect(readFileSync(path, 'utf8')).toBe(text);
		expect(checkFile(result.out ?? '').ok).toBe(true);
	});
});

describe('what cannot be repaired', () => {
	test('is told with the reason, and nothing is written', async () => {
		const meta =
			'{"type":"meta","session_id":"x","schema_version":2,"start_time":"2026-01-01T00:00:00Z","project_path":"/p"}\n';
		const path = place('x.jsonl', meta);
		const result = await repairFile(path, { machine });
		expect(result).toMatchObject({ changed: false, ok: false, out: null });
		expect(result.unrepaired[0]?.reason).toContain('update Clido');
	});

	test.each([
		['an empty file', ''],
		['a file of another kind', 'hello\n'],
	])('%s is no session', async (_, text) => {
		await expect(repairFile(place('a.jsonl', text), { machine })).rejects.toMatchObject({ name: 'InputError' });
	});

	test('a session inside a database is not written to', async () => {
		place('openclaw-agent.sqlite', 'SQLite format 3\u0000');
		const path = `${join(folder, 'openclaw-agent.sqlite')}#s1`;
		await expect(repairFile(path, { machine })).rejects.toThrow('database');
	});

	test('a file too damaged to tell its format can still be repaired when the format is named', async () => {
		const text = '"sessionId": "x", "messages": [ {"id":"m1","role":"user","content":[{"type":"text","text":"hi"}]} ]}';
		const path = place('x.messages.json', text);
		await expect(repairFile(path, { machine })).rejects.toThrow('not a session');
		const result = await repairFile(path, { machine, format: 'cline' });
		expect(result.ok).toBe(true);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ sessionId: 'x', messages: [{ id: 'm1' }] });
	});
});

test('as many problems of one kind as there are, each mended in a round of its own, are mended at once', async () => {
	const at = '"timestamp":"2026-01-01T00:00:01.000Z"';
	const line = (id: string, parent: string | null, message: object) =>
		`{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},${at},"message":${JSON.stringify(message)}}\n`;
	let text = header;
	let last: string | null = null;
	for (let turn = 0; turn < 230; turn += 1) {
		const call = { type: 'toolCall', id: `c${turn}`, name: 'bash', arguments: { command: 'ls' } };
		const usage = {
			input: 1,
			output: 1,
			cacheRead: 0,
			cacheWrite: 0,
			totalTokens: 2,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
		};
		const reply = {
			role: 'assistant',
			content: [call],
			api: 'anthropic-messages',
			provider: 'anthropic',
			model: 'm',
			usage,
			stopReason: 'toolUse',
			timestamp: 1,
		};
		const prompt = { role: 'user', content: 'and?', timestamp: 1 };
		const result = {
			role: 'toolResult',
			toolCallId: `c${turn}`,
			toolName: 'bash',
			content: [{ type: 'text', text: 'a' }],
			isError: false,
			timestamp: 1,
		};
		for (const [name, message] of [
			['a', reply],
			['u', prompt],
			['r', result],
		] as const) {
			const id = `${name}${turn}`;
			text += line(id, last, message);
			last = id;
		}
	}
	const path = place('late.jsonl', text);
	expect(checkFile(path).issues.some(({ rule }) => rule === 'openclaw/result-late')).toBe(true);
	const { unrepaired } = await repairFile(path, { machine });
	expect(unrepaired).toEqual([]);
	expect(checkFile(path).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});
