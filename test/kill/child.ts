/** A writer that begins a session or goes on with one until it is killed, in the midst of a write, by its own hand. */
import { existsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FormatId } from '../../src/model/index.ts';
import { createHandle } from '../../src/store/handle/create.ts';
import type { Draft } from '../../src/store/handle/draft.ts';
import { openHandle, type SessionHandle } from '../../src/store/handle/handle.ts';
import { dieAfterBytes } from '../support/mortal.ts';

const [format = '', path = '', home = '', first = '0', budget = '0'] = process.argv.slice(2);

/** From a few bytes to some tens of thousands. */
const sizes = [3, 40, 400, 3_000, 20_000];
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

/** What is appended for a turn, call by call. Every fourth one calls tools, and its reply comes block by block. */
function turn(n: number): readonly (readonly Draft[])[] {
	const prompt: Draft = {
		kind: 'message',
		role: 'user',
		content: [{ type: 'text', text: `#${n} ${'x'.repeat(sizes[n % sizes.length] ?? 0)}` }],
	};
	const reply = part({ type: 'text', text: `re #${n}` }, `msg_${n}`, 'end');
	if (n % 4 !== 3) return [[prompt, reply]];
	const calls = [`toolu_a${n}`, `toolu_b${n}`];
	const input = { command: 'ls' };
	const [a, b] = calls.map((id) => ({ type: 'tool_call', id, name: 'Bash', input }) as const);
	return [
		[prompt],
		[part({ type: 'text', text: `looking ${n}` }, `msg_${n}_calls`)],
		a ? [part(a, `msg_${n}_calls`)] : [],
		b ? [part(b, `msg_${n}_calls`, 'tool')] : [],
		...calls.map((call) => [result(call)]),
		[reply],
	];
}

type Content = Extract<Draft, { kind: 'message' }>['content'][number];

function part(content: Content, id: string, stop?: string): Draft {
	const ended = stop === undefined ? {} : { stop, usage };
	const response = { id, provider: 'anthropic', model: 'claude-sonnet-4-6', ...ended };
	return { kind: 'message', role: 'assistant', content: [content], response };
}

function result(call: string): Draft {
	const content = [{ type: 'text', text: 'a b' }] as const;
	return { kind: 'message', role: 'user', content: [{ type: 'tool_result', call, content, isError: false }] };
}

async function open(): Promise<SessionHandle> {
	const machine = { platform: 'linux', home, env: { REPRISE_HOME: home } } as const;
	if (existsSync(path)) return await openHandle(path, { machine });
	return await createHandle({ format: format as FormatId, path, cwd: dirname(path), machine });
}

// Without arguments it only has its code compiled, for all that come.
if (path !== '') {
	dieAfterBytes(Number(budget));
	const handle = await open();
	for (let n = Number(first); ; ) {
		const batch = Array.from({ length: 1 + (n % 3) }, (_, i) => turn(n + i)).flat();
		await Promise.all(batch.map((drafts) => handle.append(...drafts)));
		if (n % 2 === 0) await handle.sync();
		n += 1 + (n % 3);
		writeSync(1, `${n}\n`);
	}
}
