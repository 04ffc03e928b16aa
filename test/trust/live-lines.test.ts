/** The lines that a run leaves in Claude Code's format say what the client's own would say. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, type Frame, framesIn } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const anything = ['--permission-mode', 'bypassPermissions'];
const bash = (command: string) => ({ type: 'tool_use' as const, name: 'Bash', input: { command } });

interface Line extends Frame {
	readonly uuid?: string;
	readonly parentUuid?: string | null;
	readonly message?: { readonly id?: string; readonly stop_reason?: string | null; readonly content?: unknown };
}

async function linesOf(id: unknown): Promise<readonly Line[]> {
	return (await stage.lines(id)) as readonly Line[];
}

const inGraph = (lines: readonly Line[]) => lines.filter((line) => line.uuid !== undefined);

function checkOut(branch: string): void {
	mkdirSync(stage.file('.git'), { recursive: true });
	writeFileSync(stage.file('.git/HEAD'), `ref: refs/heads/${branch}\n`);
}

describe('a line says the branch that is checked out when it is written', () => {
	it('also after a tool, and after somebody in between, has checked out another', async () => {
		checkOut('one');
		const command = "printf 'ref: refs/heads/two\\n' > .git/HEAD";
		const script = stage.script([{ content: [bash(command)] }, { text: 'done' }]);
		const { session_id: id } = await stage.json('-p', 'switch', '--script', script, ...anything);
		const branches = inGraph(await linesOf(id)).map((line) => line.gitBranch);
		expect(branches[0]).toBe('one');
		expect(branches.at(-1)).toBe('two');
		expect(branches.filter((branch, index) => branch !== branches[index - 1])).toEqual(['one', 'two']);
		checkOut('three');
		const before = (await linesOf(id)).length;
		await stage.run(['-p', 'more', '-r', String(id), '--script', stage.script([{ text: 'ok' }])]);
		const added = inGraph((await linesOf(id)).slice(before));
		expect(new Set(added.map((line) => line.gitBranch))).toEqual(new Set(['three']));
	});
});

describe('a line says the folder that the shell is in when it is written', () => {
	it('as long as the shell stays there, and copies of files are still found', async () => {
		mkdirSync(stage.file('sub'), { recursive: true });
		const write = {
			type: 'tool_use' as const,
			name: 'Write',
			input: { file_path: stage.file('sub/new.txt'), content: 'x' },
		};
		const script = stage.script([
			{ content: [bash('cd sub')] },
			{ content: [write] },
			{ content: [bash('cd ..')] },
			{ text: 'done' },
		]);
		const { session_id: id } = await stage.json('-p', 'walk', '--script', script, ...anything);
		const folders = inGraph(await linesOf(id)).map((line) => line.cwd);
		const walk = folders.filter((folder, index) => folder !== folders[index - 1]);
		expect(walk).toEqual([stage.cwd, stage.file('sub'), stage.cwd]);
		const snapshots = (await linesOf(id)).filter(({ type }) => type === 'file-history-snapshot');
		expect(JSON.stringify(snapshots)).toContain('"sub/new.txt"');
		const { err } = await stage.run(['-p', 'on', '-r', String(id), '--script', stage.script([{ text: 'ok' }])]);
		expect(err).not.toContain('it goes on in');
	});
});

describe('ids', () => {
	it('are UUIDs, every one its own, and every parent is a line of the file', async () => {
		const script = stage.script([
			{ content: [{ type: 'text', text: 'look' }, bash('echo a'), bash('echo b')] },
			{ text: 'done' },
		]);
		const { session_id: id } = await stage.json('-p', 'go', '--script', script, ...anything);
		await stage.run(['-p', 'more', '-r', String(id), '--script', stage.script([{ text: 'ok' }])]);
		const lines = inGraph(await linesOf(id));
		const ids = lines.map((line) => line.uuid);
		for (const one of ids) expect(one).toMatch(uuid);
		expect(new Set(ids).size).toBe(ids.length);
		const [root, ...others] = lines;
		expect(root?.parentUuid).toBeNull();
		for (const line of others) expect(ids).toContain(line.parentUuid);
		const { code } = await stage.run(['show', String(id)]);
		expect(code).toBe(0);
		// A few characters of an id are enough to name it.
		const fork = await stage.run(['fork', String(id), '--at', String(root?.uuid).slice(0, 8), '--json']);
		expect(fork.code).toBe(0);
	});
});

describe('the session’s made-up name', () => {
	it('is on every line of the conversation, the same after -r', async () => {
		const { session_id: id } = await stage.json('-p', 'go', '--script', stage.script([{ text: 'a' }]));
		await stage.run(['-p', 'more', '-r', String(id), '--script', stage.script([{ text: 'b' }])]);
		const names = new Set(inGraph(await linesOf(id)).map((line) => line.slug));
		expect(names.size).toBe(1);
		expect([...names][0]).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
	});

	it('that another client gave is kept', async () => {
		const { session_id: id } = await stage.json('-p', 'go', '--script', stage.script([{ text: 'a' }]));
		const path = await stage.pathOf(id);
		writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"slug":"[^"]*"/g, '"slug":"virtual-puzzling-nygaard"'));
		await stage.run(['-p', 'more', '-r', String(id), '--script', stage.script([{ text: 'b' }])]);
		expect(new Set(inGraph(await linesOf(id)).map((line) => line.slug))).toEqual(new Set(['virtual-puzzling-nygaard']));
	});
});

describe('a reply', () => {
	it.each(['stop_sequence', 'end_turn', 'max_tokens'])('that ended with %s says so', async (stop) => {
		const { session_id: id } = await stage.json('-p', 'go', '--script', stage.script([{ text: 'a', stop }]));
		const replies = (await linesOf(id)).filter(({ type }) => type === 'assistant');
		expect(replies[0]?.message?.stop_reason).toBe(stop);
	});

	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'begins in the stream with the id that its blocks have in their frames (%s)',
		async (format) => {
			const script = stage.script([{ content: [{ type: 'text', text: 'look' }, bash('echo a')] }, { text: 'done' }]);
			const flags = ['--output-format', 'stream-json', '--include-partial-messages', '--session-format', format];
			const { out } = await stage.run(['-p', 'go', '--script', script, ...anything, ...flags]);
			const frames = framesIn(out) as readonly (Line & {
				readonly event?: { type: string; message: { id: string } };
			})[];
			const begun = frames.flatMap(({ event }) => (event?.type === 'message_start' ? [event.message.id] : []));
			const said = frames.flatMap(({ type, message }) => (type === 'assistant' ? [message?.id] : []));
			expect(begun).toHaveLength(2);
			expect([...new Set(said)]).toEqual(begun);
		},
	);
});

describe('what the client puts in', () => {
	it('is a list of blocks behind the command that stands for it', async () => {
		mkdirSync(stage.file('.claude/commands'), { recursive: true });
		writeFileSync(stage.file('.claude/commands/greet.md'), 'Greet $ARGUMENTS.');
		const script = stage.script([{ text: 'hi' }]);
		const { session_id: id } = await stage.json('-p', '/greet all', '--script', script, '--trust');
		const users = (await linesOf(id)).filter(({ type }) => type === 'user');
		expect(users[1]).toMatchObject({ isMeta: true, message: { content: [{ type: 'text', text: 'Greet all.' }] } });
	});
});

describe('what a tool failed with', () => {
	it('is an object in the published profile, and nothing is wrong with the file', async () => {
		const file = join(stage.cwd, '..', 'failures', 'session.jsonl');
		const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: 'nowhere.txt' } };
		const script = stage.script([{ content: [read, bash('exit 3'), { ...read, name: 'Nothing' }] }, { text: 'done' }]);
		const flags = ['--session-profile', 'published', '--session-file', file];
		await stage.run(['-p', 'go', '--script', script, ...anything, ...flags]);
		const lines = framesIn(readFileSync(file, 'utf8'));
		const results = lines.filter((line) => line.toolUseResult !== undefined);
		expect(results).toHaveLength(3);
		for (const { toolUseResult } of results) expect(toolUseResult).toBeTypeOf('object');
		const checked = await stage.run(['check', file, '--profile', 'published', '--json']);
		expect((JSON.parse(checked.out) as { issues: unknown[] }).issues).toEqual([]);
	});
});
