/** Compaction as users meet it: by itself, with /compact, undone with uncompact, looked at with context. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage, type Ended, type Frame, framesIn, onlyGoingOn } from '../support/client.ts';
import { newStage } from '../support/new-stage.ts';

const asked = 'is about to be replaced by a summary';
const summary: ScriptTurnInput = {
	when: { last: asked },
	repeat: true,
	text: '<analysis>hm</analysis><title>Two words in a file</title><summary>1. The user wants a.txt read.</summary>',
};
const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: 'a.txt' } };
const echo = { type: 'tool_use' as const, name: 'Bash', input: { command: 'echo hi' } };
/** The reply that fills the window is one with calls: the conversation is compacted in the middle of a turn. */
const filling: ScriptTurnInput[] = [
	summary,
	{ text: 'Here I am.' },
	{ content: [{ type: 'text', text: 'Looking.' }, read, echo], usage: { input: 170_000 } },
	{ text: 'It says hello.' },
	{ text: 'Still here.' },
];

/** Enough is said before the last reply that a summary of it is shorter. */
const long: ScriptTurnInput[] = [
	{ content: [{ type: 'text', text: 'Looking into it, word by word. '.repeat(100) }, read] },
	{ text: 'Here I am.' },
];

/** A session of two prompts, the second of which was compacted. */
async function compacted(stage: ClientStage, ...flags: readonly string[]): Promise<Ended> {
	const script = stage.script(filling);
	const first = await stage.run(['-p', 'Hello, “exactly so”', '--script', script, ...flags]);
	expect(first.code).toBe(0);
	const rest = stage.script([summary, ...filling.slice(2)]);
	return await stage.run(['-c', '-p', 'Read a.txt', '--script', rest]);
}

interface CostDocument {
	readonly totals: { readonly inputTokens: number; readonly outputTokens: number };
}

async function fileOf(stage: ClientStage): Promise<string> {
	const [session] = await stage.sessions();
	return session?.path ?? '';
}

async function linesOf(stage: ClientStage): Promise<readonly Frame[]> {
	return framesIn(readFileSync(await fileOf(stage), 'utf8'));
}

type Messages = readonly { readonly role: string; readonly content: unknown }[];

async function contextOf(stage: ClientStage, session: string, ...flags: readonly string[]): Promise<Messages> {
	const { out } = await stage.run(['context', session, '--json', ...flags]);
	return (JSON.parse(out) as { readonly messages: Messages }).messages;
}

const textOf = (messages: Messages): string => JSON.stringify(messages);

describe('a conversation that becomes too long', () => {
	it.each(['claude-code', 'openclaw'])('has no id of a call twice behind its summary: %s', async (format) => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script([{ text: 'Yes?' }]), '--session-format', format]);
		const turns = [
			summary,
			{ content: [read], usage: { input: 170_000 } },
			{ content: [read] },
			{ text: 'Read twice.' },
		];
		const ended = await stage.run(['-c', '-p', 'Read a.txt', '--script', stage.script(turns)]);
		expect(ended.err).toContain('was compacted');
		const calls = textOf(await contextOf(stage, 'last')).match(/"id":"call_[^"]+"/g) ?? [];
		expect(calls).toHaveLength(2);
		expect(new Set(calls).size).toBe(2);
		expect((await stage.run(['check', await fileOf(stage)])).code).toBe(0);
	});

	it('is summarised between two calls of a turn, and goes on by itself: summary, boundary and the line that its client resumes from', async () => {
		const stage = newStage();
		const ended = await compacted(stage);
		expect(ended).toMatchObject({ code: 0, out: 'It says hello.\n' });
		expect(ended.err).toMatch(/the conversation was compacted: about 170,\d+ tokens became about [\d,]+/);
		const lines = await linesOf(stage);
		const at = lines.findIndex(({ type }) => type === 'summary');
		const [title, boundary, told] = lines.slice(at, at + 3);
		const before = lines.slice(0, at).findLast(({ uuid }) => uuid !== undefined);
		expect(title).toMatchObject({ type: 'summary', summary: 'Two words in a file', leafUuid: before?.uuid });
		expect(boundary).toMatchObject({
			type: 'system',
			subtype: 'compact_boundary',
			parentUuid: null,
			logicalParentUuid: before?.uuid,
			content: 'Conversation compacted',
			level: 'info',
			isMeta: false,
			compactMetadata: { trigger: 'auto', preTokens: expect.any(Number), postTokens: expect.any(Number) },
		});
		const { preTokens } = (boundary?.compactMetadata ?? {}) as { readonly preTokens?: number };
		expect(preTokens).toBeGreaterThan(170_000);
		expect(told).toMatchObject({ type: 'user', isCompactSummary: true, parentUuid: boundary?.uuid });
		const next = lines.slice(at + 3).find(({ type }) => type === 'assistant');
		expect(lines.slice(at + 2).map(({ uuid }) => uuid)).toContain(next?.parentUuid);
		expect((await stage.run(['check', await fileOf(stage)])).code).toBe(0);
	});

	it('keeps the user’s words, and the last exchange with calls and results', async () => {
		const stage = newStage();
		await compacted(stage);
		const messages = await contextOf(stage, 'last');
		const [first, reply, results, answer] = messages;
		expect(textOf([first as Messages[0]])).toContain('<user_message>\\nHello, “exactly so”\\n</user_message>');
		expect(textOf([first as Messages[0]])).toContain('<user_message>\\nRead a.txt\\n</user_message>');
		expect(textOf([first as Messages[0]])).toContain('1. The user wants a.txt read.');
		expect(reply?.content).toMatchObject([{ text: 'Looking.' }, { name: 'Read' }, { name: 'Bash' }]);
		expect(results?.content).toMatchObject([{ type: 'tool_result' }, { type: 'tool_result', content: 'hi' }]);
		expect(answer?.content).toMatchObject([{ text: 'It says hello.' }]);
		expect(textOf(messages)).not.toContain('Here I am.');
	});

	it.each(['cline', 'openclaw', 'clido'])('is compacted in %s as its own client does it', async (format) => {
		const stage = newStage();
		expect((await compacted(stage, '--session-format', format)).err).toContain('the conversation was compacted');
		const path = await fileOf(stage);
		const beside = format === 'cline' ? path.replace('.messages.json', '.compaction.json') : path;
		const written = readFileSync(beside, 'utf8');
		if (format === 'cline') expect(JSON.parse(written)).toMatchObject({ version: 1, source_message_count: 6 });
		if (format === 'openclaw') expect(written).toMatch(/"type":"compaction".*"firstKeptEntryId"/);
		if (format === 'clido') {
			expect(written).toMatch(/"subtype":"compaction","message":"Context compacted: 2 turns → 1 summary \(saved ~1/);
			// Clido itself sends everything whenever it goes on.
			expect(textOf(await contextOf(stage, 'last'))).toContain('Here I am.');
			return;
		}
		const messages = await contextOf(stage, 'last');
		expect(messages).toHaveLength(4);
		expect(textOf(messages)).toContain('exactly so');
	});

	it('is written as the document has it in the published profile: the text in the summary, and a new root', async () => {
		const stage = newStage();
		await compacted(stage, '--session-profile', 'published', '--session-file', stage.file('s.jsonl'));
		const script = stage.script(filling.slice(2));
		await stage.run([
			'-r',
			stage.file('s.jsonl'),
			'-p',
			'Read a.txt',
			'--script',
			stage.script([summary, ...filling.slice(2)]),
		]);
		await stage.run(['-r', stage.file('s.jsonl'), '-p', 'And now?', '--script', script]);
		const lines = framesIn(readFileSync(stage.file('s.jsonl'), 'utf8'));
		const at = lines.findIndex(({ subtype }) => subtype === 'compact_boundary');
		expect(lines[at - 1]).toMatchObject({
			type: 'summary',
			summary: expect.stringContaining('The user wants a.txt read.'),
		});
		expect(lines[at]).toMatchObject({ parentUuid: null });
		expect(lines.slice(at + 1).find(({ uuid }) => uuid !== undefined)).toMatchObject({ parentUuid: null });
		expect(lines.some(({ isCompactSummary }) => isCompactSummary === true)).toBe(false);
		// Nothing but its place links the new root with what came before: a second compaction knows all words, and both are undone.
		const [first, last] = lines.filter(({ type }) => type === 'summary');
		expect(last).not.toBe(first);
		expect(last?.summary).toContain('<user_message>\nHello, “exactly so”\n</user_message>');
		const forked = JSON.parse((await stage.run(['fork', stage.file('s.jsonl'), '--json'])).out) as Frame;
		const seed = ['--rules', 'seed'];
		expect(await contextOf(stage, String(forked.path), ...seed)).toEqual(
			await contextOf(stage, stage.file('s.jsonl'), ...seed),
		);
		const undone = JSON.parse((await stage.run(['uncompact', stage.file('s.jsonl'), '--json'])).out) as Frame;
		expect(undone).toMatchObject({ undone: 2 });
		const prompts = (await contextOf(stage, String(undone.path))).flatMap(({ role, content }) =>
			role === 'user' ? (content as { readonly text?: string }[]).flatMap(({ text }) => text ?? []) : [],
		);
		expect(prompts).toEqual(['Hello, “exactly so”', 'Read a.txt', 'And now?']);
	});

	it('is compacted once and goes on where the server says that it is too long', async () => {
		const stage = newStage();
		const tooLong = { error: { status: 400, message: 'prompt is too long: 201000 tokens > 200000 maximum' } };
		const script = stage.script([summary, { text: 'Here I am.' }]);
		await stage.run(['-p', 'Hello', '--script', script]);
		const ended = await stage.run([
			'-c',
			'-p',
			'And?',
			'--script',
			stage.script([summary, tooLong, { text: 'Going on.' }]),
		]);
		expect(ended).toMatchObject({ code: 0, out: 'Going on.\n' });
		const again = stage.script([summary, tooLong, tooLong, { text: 'never' }]);
		expect((await stage.run(['-c', '-p', 'And?', '--script', again])).code).toBe(3);
	});

	it('a provider that fails during /compact is told by the exit code, as with any other prompt', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'x', '--script', stage.script(long)]);
		const script = stage.script([{ error: { status: 401, message: 'no such key' } }]);
		const { code, err } = await stage.run(['-p', '/compact', '-c', '--script', script]);
		expect(err).toContain('no such key');
		expect(code).toBe(3);
	});

	it('is not compacted where the settings say so', async () => {
		const stage = newStage();
		const settings = ['--settings', '{"autoCompactEnabled": false}'];
		const ended = await stage.run(['-p', 'Read', '--script', stage.script(filling.slice(2)), ...settings]);
		expect(ended).toMatchObject({ code: 0, out: 'It says hello.\n', err: '' });
		const env = { DISABLE_AUTO_COMPACT: '1' };
		expect((await stage.run(['-p', 'Read', '--script', stage.script(filling.slice(2))], { env })).err).toBe('');
	});

	it('is compacted at the window and the share that Claude Code’s variables name', async () => {
		const stage = newStage();
		const used = (input: number): string =>
			stage.script([
				summary,
				{ content: [read], usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 } },
				{ text: 'Done.' },
			]);
		const says = async (input: number, env: { readonly [name: string]: string }): Promise<string> =>
			(await stage.run(['-p', 'Read', '--script', used(input)], { env })).err;
		expect(await says(166_000, {})).toBe('');
		expect(await says(167_000, {})).toContain('was compacted');
		const half = { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' };
		expect(await says(89_000, half)).toBe('');
		expect(await says(90_000, half)).toContain('was compacted');
		const small = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '400000' };
		expect(await says(300_000, small)).toBe('');
		expect(await says(367_000, small)).toContain('was compacted');
	});

	it('ends with a clear error where compacting does not help', async () => {
		const stage = newStage();
		const full = { content: [read], usage: { input: 170_000 } };
		const script = stage.script({ turns: [summary, { ...full, repeat: true }] });
		const document = await stage.json('-p', 'Read', '--script', script);
		expect(document).toMatchObject({ is_error: true, result: expect.stringContaining('Autocompact is thrashing') });
		expect((await linesOf(stage)).filter(({ subtype }) => subtype === 'compact_boundary')).toHaveLength(3);
	});
});

describe('/compact', () => {
	it('counts what was and what became of it alike, whatever the model reports', async () => {
		const stage = newStage();
		const reply = { text: 'word '.repeat(20_000), usage: { input: 1000, output: 760 } };
		await stage.run(['-p', 'Hello', '--script', stage.script([reply, { text: 'Good.', usage: reply.usage }])]);
		await stage.run(['-c', '-p', 'More', '--script', stage.script([{ text: 'Good.', usage: reply.usage }])]);
		const { result } = await stage.json('-c', '-p', '/compact', '--script', stage.script([summary]));
		const [before = 0, after = 0] = [...String(result).matchAll(/about ([\d,]+)/g)].map(([, text = '']) =>
			Number(text.replaceAll(',', '')),
		);
		expect([after > 0, before - after > 10_000]).toEqual([true, true]);
	});

	it('compacts with the user’s instructions, and says what it saved', async () => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script(long)]);
		const wished = { ...summary, when: { last: 'Additional instructions for this summary:\\nkeep all names' } };
		const document = await stage.json('-c', '-p', '/compact keep all names', '--script', stage.script([wished]));
		expect(document).toMatchObject({
			subtype: 'success',
			result: expect.stringMatching(/^Compacted: about [\d,]+ tokens became about [\d,]+ \(\/uncompact undoes it\)\.$/),
		});
		expect(document).toMatchObject({ usage: { output_tokens: expect.any(Number) } });
		const lines = await linesOf(stage);
		const boundary = lines.find(({ subtype }) => subtype === 'compact_boundary');
		expect(boundary).toMatchObject({ compactMetadata: { trigger: 'manual' } });
		const command = lines.find(({ subtype }) => subtype === 'local_command');
		expect(command?.content).toContain('<command-args>keep all names</command-args>');
		expect(textOf(await contextOf(stage, 'last'))).not.toContain('command-args');
	});

	it('that would make the conversation longer says so once, asks nobody and changes nothing', async () => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script([{ text: 'Here I am.' }])]);
		const before = readFileSync(await fileOf(stage), 'utf8');
		const ended = await stage.run(['-c', '-p', '/compact', '--script', stage.script([])]);
		expect(ended).toMatchObject({ code: 1, out: '' });
		expect(ended.err.match(/would not become shorter/g)).toHaveLength(1);
		expect(readFileSync(await fileOf(stage), 'utf8')).toBe(before);
	});

	it.each(['<title>A greeting</title>', ''])('says its numbers once, and renames no session (%s)', async (title) => {
		const stage = newStage();
		await stage.run(['-p', 'Hello there', '--script', stage.script(long)]);
		const script = stage.script([{ text: `${title}<summary>1. The user says hello.</summary>` }]);
		const ended = await stage.run(['-c', '-p', '/compact', '--script', script]);
		expect(ended.out).toMatch(/^Compacted: about/);
		expect(ended.err).toMatch(onlyGoingOn);
		const { out } = await stage.run(['ls', '--json']);
		expect(JSON.parse(out)).toMatchObject({ sessions: [{ title: 'Hello there' }] });
		expect((await stage.run(['show', 'last'])).out).toMatch(/^Hello there\n/);
	});

	it.each(['claude-code', 'openclaw'])(
		'what the summary used is in the session of %s, and cost counts it',
		async (format) => {
			const stage = newStage();
			await stage.run(['-p', 'Hello', '--script', stage.script(long), '--session-format', format]);
			const spent = async () => JSON.parse((await stage.run(['cost', '--json'])).out) as CostDocument;
			const { totals: before } = await spent();
			const used = { input: 1000, output: 500, cacheRead: 0, cacheWrite: 0 };
			const script = stage.script([{ ...summary, usage: used }]);
			await stage.run(['-c', '-p', '/compact', '--script', script]);
			const { totals: after } = await spent();
			expect(after.inputTokens - before.inputTokens).toBe(1000);
			expect(after.outputTokens - before.outputTokens).toBe(500);
		},
	);

	it('of a conversation that has not begun is refused, and makes no session', async () => {
		const stage = newStage();
		const ended = await stage.run(['-p', '/compact', '--script', stage.script([{ text: 'x' }])]);
		expect(ended.code).toBe(1);
		expect(ended.err).toContain('nothing to compact');
		expect(await stage.sessions()).toEqual([]);
	});

	it('and /uncompact work for a process that drives the client, which sees status and boundary', async () => {
		const stage = newStage();
		const prompt = (text: string): string =>
			`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
		const flags = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
		const long = 'long ago '.repeat(1000).trim();
		const script = stage.script([summary, { text: long }, { text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
		const input = ['before', 'first', '/compact', 'second', '/uncompact', 'third'].map(prompt).join('');
		const { out, code } = await stage.run([...flags, '--script', script], { input });
		expect(code).toBe(0);
		const frames = framesIn(out);
		const told = frames.filter(({ subtype }) => subtype === 'status' || subtype === 'compact_boundary');
		expect(told).toMatchObject([
			{ status: 'compacting' },
			{ status: null, compact_result: 'success' },
			{ subtype: 'compact_boundary', compact_metadata: { trigger: 'manual', pre_tokens: expect.any(Number) } },
		]);
		const results = frames.filter(({ type }) => type === 'result');
		expect(results.map(({ result }) => result)).toMatchObject(
			[long, 'One.', /./, 'Two.', /^Undone/, 'Three.'].map((one) =>
				typeof one === 'string' ? one : expect.stringMatching(one),
			),
		);
		expect(new Set(results.map(({ session_id }) => session_id)).size).toBe(2);
		const messages = await contextOf(stage, String(results.at(-1)?.session_id));
		// The command itself is told before the prompt that follows it, as its client does with its own.
		expect(messages.map(({ content }) => (content as { readonly text: string }[]).at(-1)?.text)).toEqual([
			...['before', long, 'first', 'One.'],
			'second',
			'Two.',
			'third',
			'Three.',
		]);
	});
});

describe('hooks', () => {
	const hook = (command: string): readonly string[] => [
		'--settings',
		JSON.stringify({ hooks: { PreCompact: [{ matcher: 'manual', hooks: [{ type: 'command', command }] }] } }),
	];

	it('hear of a compaction with its trigger and instructions, and may add some', async () => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script(long)]);
		const heard = stage.file('heard.json');
		const wished = { ...summary, when: { last: 'be brief\\n\\nand name the hook' } };
		const flags = hook(`cat > '${heard}'; echo and name the hook`);
		const ended = await stage.run(['-c', '-p', '/compact be brief', '--script', stage.script([wished]), ...flags]);
		expect(ended).toMatchObject({ code: 0 });
		expect(JSON.parse(readFileSync(heard, 'utf8'))).toMatchObject({
			hook_event_name: 'PreCompact',
			trigger: 'manual',
			custom_instructions: 'be brief',
		});
	});

	it('stop a compaction with exit code 2', async () => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script([{ text: 'Here I am.' }])]);
		const flags = hook('echo not now >&2; exit 2');
		const ended = await stage.run(['-c', '-p', '/compact', '--script', stage.script([summary]), ...flags]);
		expect(ended.code).toBe(1);
		expect(ended.err).toContain('not now');
		expect((await linesOf(stage)).some(({ subtype }) => subtype === 'compact_boundary')).toBe(false);
	});
});

describe('uncompact', () => {
	it.each(['claude-code', 'cline', 'openclaw', 'clido'])(
		'gives back the whole conversation in %s, with what was said since, and leaves the session as it is',
		async (format) => {
			const stage = newStage();
			await compacted(stage, '--session-format', format);
			await stage.run(['-c', '-p', 'Go on', '--script', stage.script([{ text: 'Gladly.' }])]);
			const path = await fileOf(stage);
			const bytes = readFileSync(path);
			const { out, code } = await stage.run(['uncompact', path, '--json']);
			expect(code).toBe(0);
			const made = JSON.parse(out) as { readonly path: string; readonly undone: number; readonly losses: unknown[] };
			expect(made).toMatchObject({ undone: 1, losses: [] });
			expect(readFileSync(path).equals(bytes)).toBe(true);
			const messages = await contextOf(stage, made.path);
			const said = messages.flatMap(({ content }) => content as { readonly text?: string; readonly type: string }[]);
			expect(said.map(({ type, text }) => text ?? type)).toEqual([
				'Hello, “exactly so”',
				'Here I am.',
				'Read a.txt',
				'Looking.',
				'tool_use',
				'tool_use',
				'tool_result',
				'tool_result',
				'It says hello.',
				'Go on',
				'Gladly.',
			]);
			expect((await stage.run(['check', made.path])).code).toBe(0);
			expect(await stage.run(['uncompact', made.path])).toMatchObject({ code: 1 });
		},
	);

	it('goes on from a part of it with --to', async () => {
		const stage = newStage();
		await compacted(stage);
		const path = await fileOf(stage);
		const reply = (await linesOf(stage)).find(({ type }) => type === 'assistant');
		const { out } = await stage.run(['uncompact', path, '--to', String(reply?.uuid), '--json']);
		const messages = await contextOf(stage, (JSON.parse(out) as { readonly path: string }).path);
		expect(messages.map(({ content }) => (content as { readonly text: string }[])[0]?.text)).toEqual([
			'Hello, “exactly so”',
			'Here I am.',
		]);
	});

	it('is refused where nothing was compacted', async () => {
		const stage = newStage();
		await stage.run(['-p', 'Hello', '--script', stage.script([{ text: 'Here I am.' }])]);
		const ended = await stage.run(['uncompact', 'last']);
		expect(ended.code).toBe(1);
		expect(ended.err).toContain('nothing was compacted');
	});
});

describe('context', () => {
	it.each(['claude-code', 'clido'])(
		'--diff says which texts a compaction of %s took away, which it quotes and which stay',
		async (format) => {
			const stage = newStage();
			await compacted(stage, '--session-format', format);
			const { out } = await stage.run(['context', 'last', '--diff']);
			expect(out).toMatch(
				/^compaction \S+ \(auto\): about 170,\d+ tokens became about [\d,]+; 8 parts: 1 gone, 2 quoted in the summary, 5 unchanged/,
			);
			expect(out).toContain('- assistant: Here I am.');
			expect(out).toContain('~ user: Read a.txt');
			expect(out).toContain('  assistant use: Read {"file_path":"a.txt"}');
			expect(out).toContain('+ user: # Two words in a file');
			const json = JSON.parse((await stage.run(['context', 'last', '--diff', '--json'])).out) as {
				readonly compaction: Frame;
				readonly parts: readonly Frame[];
			};
			const collapse = { tokensSaved: expect.any(Number), replaced: { messages: 3 } };
			expect(json.compaction).toMatchObject({ trigger: 'auto', ...(format === 'clido' ? {} : collapse) });
			expect(json.parts.filter(({ now }) => now === 'gone')).toMatchObject([
				{ text: 'Here I am.', entry: expect.any(String) },
			]);
		},
	);

	it('--at a compaction shows what the model received before and after it', async () => {
		const stage = newStage();
		await compacted(stage);
		const boundary = (await linesOf(stage)).find(({ subtype }) => subtype === 'compact_boundary');
		const at = ['--at', String(boundary?.uuid)];
		const { out } = await stage.run(['context', 'last', ...at]);
		expect(out).toMatch(/— before it —[\s\S]*Here I am\.[\s\S]*— after it —[\s\S]*# Two words in a file/);
		const json = JSON.parse((await stage.run(['context', 'last', ...at, '--json'])).out) as {
			readonly before: Messages;
			readonly messages: Messages;
		};
		expect(json.before).toHaveLength(5);
		expect(json.messages).toHaveLength(3);
		expect(textOf(json.messages)).not.toContain('It says hello.');
	});
});

it('a collapse record says what was replaced, by what, and what that saved', async () => {
	const stage = newStage();
	await compacted(stage);
	const lines = await linesOf(stage);
	const boundary = lines.find(({ subtype }) => subtype === 'compact_boundary');
	const messages = lines.filter(({ type, uuid }) => uuid !== undefined && (type === 'user' || type === 'assistant'));
	const record = lines.find(({ type }) => type === 'context-collapse-commit');
	expect(record).toMatchObject({
		compaction: boundary?.uuid,
		replaced: { first: messages[0]?.uuid, last: messages[2]?.uuid, messages: 3 },
		summary: 'Two words in a file',
		trigger: 'auto',
		tokensSaved: expect.any(Number),
	});
	const { tokensBefore, tokensAfter, tokensSaved } = record as unknown as { readonly [name: string]: number };
	expect(tokensSaved).toBe((tokensBefore ?? 0) - (tokensAfter ?? 0));
});
