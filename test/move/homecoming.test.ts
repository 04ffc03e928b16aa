/** Ways home that are longer than there and back, and what of a visit cannot come along. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codecs } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';
import { convertFile, returnSession } from '../../src/move/index.ts';
import { contextOf } from '../../src/store/reader/context.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { writeGenerated } from '../support/generated.ts';
import { fileNamed, formats, Scratch, sampleOf } from '../support/sessions.ts';
import { codecNamed, continued, newTexts, textsOf } from './turns.ts';

const chains = formats.flatMap((a) =>
	formats
		.filter((b) => b !== a)
		.flatMap((b) => formats.filter((c) => c !== a && c !== b).map((c) => [a, b, c] as const)),
);

/** A copy of the sample of `a`, converted to `b` and then to `c`. */
async function sentThrough(scratch: Scratch, [a, b, c]: readonly FormatId[], visit: (path: string, n: number) => void) {
	const { machine } = scratch;
	const paths: string[] = [];
	for (const [n, format] of [a, b, c].entries()) {
		if (format === undefined) throw new Error('three formats are needed');
		const path = join(scratch.folder, fileNamed(format, `${n}`));
		const before = paths.at(-1);
		if (before === undefined) writeFileSync(path, readFileSync(sampleOf[format]));
		else await convertFile(before, { to: format, out: path, machine });
		paths.push(path);
		await visit(path, n);
	}
	const [first = '', , last = ''] = paths;
	const back = join(scratch.folder, fileNamed(a ?? 'clido', 'back'));
	const made = await convertFile(last, { to: a ?? 'clido', out: back, machine });
	return { made, old: readFileSync(first), now: readFileSync(back), back };
}

describe('through two other formats', () => {
	it.each(chains)('%s → %s → %s and home gives the same bytes', async (...chain) => {
		using scratch = new Scratch();
		const { made, old, now } = await sentThrough(scratch, chain, () => undefined);
		expect(made.how).toBe('returned');
		expect(now.equals(old)).toBe(true);
	});

	it.each(chains)('%s → %s → %s: turns of both come home after the old bytes', async (a, b, c) => {
		using scratch = new Scratch();
		const visit = async (path: string, n: number) => (n === 0 ? undefined : await continued(path, n));
		const { made, old, now, back } = await sentThrough(scratch, [a, b, c], visit);
		expect(made.how).toBe('returned');
		if (codecNamed(a).capabilities.container === 'lines') expect(now.subarray(0, old.length).equals(old)).toBe(true);
		const session = await openSession(back);
		expect(textsOf(session).slice(-6)).toEqual([...newTexts(1), ...newTexts(2)]);
		expect(session.issues.filter((issue) => issue.severity === 'error')).toEqual([]);
	});

	it('a session that is its own ancestor ends somewhere', async () => {
		using scratch = new Scratch();
		const { machine, folder } = scratch;
		const there = join(folder, 'there.jsonl');
		await convertFile(sampleOf['claude-code'], { to: 'openclaw', out: there, machine });
		writeFileSync(there, readFileSync(there, 'utf8').replace(/"text":"[^"]+"/, '"text":"something else"'));
		const back = join(folder, 'back.jsonl');
		expect((await convertFile(there, { to: 'claude-code', out: back, machine })).how).toBe('converted');
		const clido = await convertFile(back, { to: 'clido', out: join(folder, 'clido.jsonl'), machine });
		expect(clido.how).toBe('converted');
	});
});

/** A session of Claude Code that was handed to pi, and lines that pi adds to it. */
async function visitToPi(scratch: Scratch, add: (last: string, first: string) => readonly object[]) {
	const { machine, folder } = scratch;
	const home = join(folder, 'home.jsonl');
	const [written] = writeGenerated(join(folder, 'made'), codecNamed('claude-code')).filter(
		({ name }) => name === 'three calls at once',
	);
	writeFileSync(home, readFileSync(written?.path ?? ''));
	const there = join(folder, 'there.jsonl');
	await convertFile(home, { to: 'openclaw', out: there, machine });
	const { entries } = await openSession(there);
	const messages = entries.filter((entry) => entry.kind === 'message');
	for (const line of add(messages.at(-1)?.id ?? '', messages.at(-2)?.id ?? '')) {
		appendFileSync(there, `${JSON.stringify({ timestamp: '2026-02-01T00:00:00.000Z', ...line })}\n`);
	}
	return { home, returned: await returnSession(there, { machine }) };
}

const user = (id: string, parentId: string, text: string) => ({
	type: 'message',
	id,
	parentId,
	message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1769904000000 },
});

describe('what happened there', () => {
	it('a cut comes home with the messages that it kept', async () => {
		using scratch = new Scratch();
		const { home, returned } = await visitToPi(scratch, (last, first) => [
			{
				type: 'compaction',
				id: 'c1c1c1c1',
				parentId: last,
				summary: 'Much was read.',
				firstKeptEntryId: first,
				tokensBefore: 9,
			},
			user('d1d1d1d1', 'c1c1c1c1', 'and now?'),
		]);
		expect(returned.messages).toBe(1);
		const sent = JSON.stringify(contextOf(home, { client: '2.1.325' }).messages);
		expect(sent).toContain('Much was read.');
		expect(sent).toContain('One failed.');
		expect(sent).toContain('and now?');
		expect(sent).not.toContain('read all three');
	});

	it('messages that a cut kept and nobody knows at home are named', async () => {
		using scratch = new Scratch();
		const { returned } = await visitToPi(scratch, (last) => [
			{ type: 'custom', id: 'b1b1b1b1', parentId: last, customType: 'x', data: 1 },
			{
				type: 'compaction',
				id: 'c1c1c1c1',
				parentId: 'b1b1b1b1',
				summary: 'Much.',
				firstKeptEntryId: 'b1b1b1b1',
				tokensBefore: 9,
			},
			user('d1d1d1d1', 'c1c1c1c1', 'and now?'),
		]);
		expect(returned.losses).toContainEqual(
			expect.objectContaining({ entry: 'c1c1c1c1', path: 'keptFrom', how: 'dropped' }),
		);
	});

	it('labels, settings and branches that were left again are named', async () => {
		using scratch = new Scratch();
		const { home, returned } = await visitToPi(scratch, (last) => [
			user('aaaa0001', last, 'on a branch'),
			{ type: 'model_change', id: 'aaaa0002', parentId: last, provider: 'openai', modelId: 'gpt-5' },
			user('aaaa0003', 'aaaa0002', 'on the way'),
			{ type: 'label', id: 'aaaa0004', parentId: 'aaaa0003', targetId: 'aaaa0003', label: 'here' },
		]);
		const dropped = new Map(
			returned.losses.filter(({ how }) => how === 'dropped').map(({ entry, note }) => [entry, note]),
		);
		expect(dropped.get('aaaa0001')).toContain('branch that was left');
		expect(dropped.get('aaaa0002')).toContain('setting (');
		expect(dropped.get('aaaa0004')).toContain('label');
		expect(dropped.has('aaaa0003')).toBe(false);
		expect(readFileSync(home, 'utf8')).not.toContain('on a branch');
	});

	it.each(['openclaw', 'clido', 'cline'] as const)(
		'a sub-agent that was started in Claude Code comes home to %s, or a loss names it',
		async (from) => {
			using scratch = new Scratch();
			const { machine, folder } = scratch;
			const there = join(folder, 'there.jsonl');
			await convertFile(scratch.copy(from), { to: 'claude-code', out: there, machine });
			await continued(there);
			const line = JSON.parse(
				readFileSync(there, 'utf8')
					.trimEnd()
					.split('\n')
					.findLast((text) => text.includes('"uuid"')) ?? '',
			);
			const thread = join(folder, 'there/subagents/agent-a7777777777777777.jsonl');
			mkdirSync(dirname(thread), { recursive: true });
			const prompt = { ...line, type: 'user', isSidechain: true, agentId: 'a7777777777777777', parentUuid: null };
			writeFileSync(
				thread,
				`${JSON.stringify({ ...prompt, uuid: '7e1e7e1e-0000-4000-8000-0000000000ff', message: { role: 'user', content: 'Look there.' } })}\n`,
			);
			const returned = await returnSession(there, { machine });
			expect(returned.messages).toBeGreaterThanOrEqual(4);
			expect(returned.losses.some(({ note, path }) => `${path} ${note}`.includes('agent'))).toBe(true);
		},
	);

	it('a sub-agent that Cline started comes home to Claude Code', async () => {
		using scratch = new Scratch();
		const { machine, folder } = scratch;
		const home = join(folder, 'home.jsonl');
		writeFileSync(home, readFileSync(sampleOf['claude-code']));
		const at = join(folder, 'there');
		mkdirSync(at);
		const there = join(at, 'there.messages.json');
		await convertFile(home, { to: 'cline', out: there, machine });
		await continued(there);
		const child = JSON.parse(readFileSync(there, 'utf8'));
		const [message] = child.messages;
		writeFileSync(
			join(at, 'helper.messages.json'),
			JSON.stringify({
				...child,
				agent: 'subagent',
				sessionId: `${child.sessionId}__helper`,
				messages: [{ ...message, id: 'm1', content: [{ type: 'text', text: 'Look over there.' }] }],
			}),
		);
		await returnSession(there, { machine });
		const session = await openSession(home);
		const thread = session.entries.filter((entry) => entry.agent !== undefined);
		expect(JSON.stringify(thread)).toContain('Look over there.');
	});
});

describe('a cut that Cline keeps beside the session', () => {
	it.each(codecs.filter((codec) => codec.id !== 'cline' && codec.capabilities.compaction).map((codec) => codec.id))(
		'goes along to %s',
		async (to) => {
			using scratch = new Scratch();
			const { machine, folder } = scratch;
			const made = writeGenerated(join(folder, 'made'), codecNamed('cline'));
			const path = made.find(({ name }) => name === 'compacted, with messages kept')?.path ?? '';
			const out = join(folder, fileNamed(to, 'out'));
			await convertFile(path, { to, out, machine });
			const sent = JSON.stringify(contextOf(out, { client: to === 'claude-code' ? '2.1.325' : '0.87.1' }).messages);
			expect(sent).toContain('The user asked one and two.');
			expect(sent).toContain('It is noon.');
			expect(sent).not.toContain('About \\\\\\"one\\\\\\"');
		},
	);
});
