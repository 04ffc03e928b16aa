/** Turns as a client of the format would add them, to sessions that were converted for it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Codec, codecOf } from '../../src/codecs/index.ts';
import type { Entry, FormatId, Session } from '../../src/model/index.ts';
import { conversationOf } from '../../src/move/conversation-print.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';

export function codecNamed(id: FormatId): Codec {
	const codec = codecOf(id);
	if (!codec) throw new Error(`no codec ${id}`);
	return codec;
}

/** A prompt, a reply that calls a tool, its result, a last reply: as a client of the format would add them. */
function turn(session: Session, number: number): readonly Entry[] {
	let parent = session.leaf;
	const call = `toolu_new${number}`;
	const start = Math.max(0, ...session.entries.map((entry) => Date.parse(entry.time ?? '') || 0)) + 1000;
	const model = { provider: 'anthropic', api: 'anthropic-messages', model: 'claude-sonnet-4-5' };
	const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
	const response = (id: string, stop: string) => ({ id, stop, usage, ...model });
	const parts: readonly Pick<Extract<Entry, { kind: 'message' }>, 'role' | 'content' | 'response'>[] = [
		{ role: 'user', content: [{ type: 'text', text: `And what now${'?'.repeat(number)}` }] },
		{
			role: 'assistant',
			content: [
				{ type: 'text', text: 'I look.' },
				{ type: 'tool_call', id: call, name: 'Bash', input: { command: 'ls' } },
			],
			response: response(`msg_new${number}a`, 'tool'),
		},
		{
			role: 'user',
			content: [
				{
					type: 'tool_result',
					call: call,
					name: 'Bash',
					content: [{ type: 'text', text: 'a.txt' }],
					isError: false,
				},
			],
		},
		{
			role: 'assistant',
			content: [{ type: 'text', text: 'One file.' }],
			response: response(`msg_new${number}b`, 'end'),
		},
	];
	return parts.map((part, index) => {
		const id = `7e1e7e1e-0000-4000-8000-0000000000${number}${index}`;
		const entry: Entry = {
			kind: 'message',
			...part,
			id,
			parent,
			time: new Date(start + index * 1000).toISOString(),
			records: [],
		};
		parent = id;
		return entry;
	});
}

export async function continued(path: string, number = 1): Promise<void> {
	const session = await openSession(path);
	const codec = codecNamed(session.format);
	const entries = turn(session, number);
	const { bytes } = codec.write.encode({
		profile: 'client',
		id: session.id,
		header: session.header,
		entries,
		after: session,
	});
	const old = readFileSync(path);
	writeFileSync(path, codec.capabilities.container === 'lines' ? Buffer.concat([old, bytes]) : bytes);
}

/** What is said in a turn, by its number. */
export const newTexts = (number = 1): readonly string[] => [
	`And what now${'?'.repeat(number)}`,
	'I look.',
	'One file.',
];

/** What is said on the way to where the session goes on. */
export function textsOf(session: Session): readonly string[] {
	return conversationOf(session).entries.flatMap((entry) =>
		entry.kind === 'message' ? entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
	);
}
