/** Laws of writing the files beside the messages: manifest, sidecar, sub-agents. */
import { describe, expect, test } from 'vitest';
import {
	besideOf,
	chain,
	entry,
	header,
	lossesOf,
	messagesOf,
	read,
	text,
	write,
} from '../../../../test/support/cline-entries.ts';
import { conversationOf } from '../../../../test/support/laws.ts';
import type { Entry } from '../../../model/index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline, compactionFits, parseCompaction, parseManifest } from '../index.ts';

describe('files beside', () => {
	test('the manifest is one that Cline takes, with the path of the messages', () => {
		const encoded = write(chain(entry('user', [text('Do it')]), entry('assistant', [text('ok')])), {
			header: { ...header, title: 'T'.repeat(130), gitBranch: 'main' },
		});
		expect(encoded.beside.map((file) => file.path)).toEqual(['1700000000000_a.json']);
		expect(parseManifest(besideOf(encoded, '.json'))).toMatchObject({
			session_id: '1700000000000_a',
			status: 'completed',
			cwd: '/p',
			provider: 'p',
			model: 'm',
			prompt: 'Do it',
			messages_path: '/h/1700000000000_a.messages.json',
			metadata: { title: 'T'.repeat(120), git: { branch: 'main' } },
		});
		expect(lossesOf(encoded)).toEqual(['approximated header.title']);
	});

	test('without a path there is no manifest: one without messages_path makes Cline overwrite the messages', () => {
		const { path: _, ...input } = { path: '', profile: 'client', id: 'a', header, entries: [] } as const;
		const encoded = cline.write.encode(input);
		expect(encoded.beside).toEqual([]);
		expect(lossesOf(encoded)).toContain('dropped header.cwd');
	});

	test('a compaction becomes a sidecar that Cline uses', () => {
		const first = entry('user', [text('one')]);
		const kept = entry('assistant', [text('two')]);
		const cut: Entry = {
			kind: 'compaction',
			id: 'cut',
			records: [],
			parent: null,
			summary: 'It was about numbers.',
			keptFrom: kept.id,
			tokensBefore: 9,
		};
		const encoded = write(chain(first, kept, cut, entry('user', [text('three')])));
		const sidecar = parseCompaction(besideOf(encoded, '.compaction.json'));
		expect(sidecar).toMatchObject({
			source_message_count: 2,
			source_last_message_key: `id:${kept.id}`,
			messages: [{ content: [{ text: 'Context summary:\n\nIt was about numbers.' }] }, { id: kept.id }],
		});
		expect(sidecar && compactionFits(sidecar, messagesOf(encoded))).toBe(true);
		expect(parseManifest(besideOf(encoded, '1700000000000_a.json'))?.compaction_path).toBe(
			'/h/1700000000000_a.compaction.json',
		);
		expect(write(chain(first, cut), { profile: 'published' }).losses.map((loss) => loss.entry)).toContain('cut');
	});

	test('a summary that is a message of its own follows the cut', () => {
		const first = entry('user', [text('one')]);
		const cut: Entry = { kind: 'compaction', id: 'cut', records: [], parent: null };
		const summary = entry('user', [text('So far: one')], { origin: 'compaction' });
		const encoded = write(chain(first, cut, summary));
		expect(parseCompaction(besideOf(encoded, '.compaction.json'))).toMatchObject({
			source_message_count: 1,
			messages: [],
		});
		expect(read(encoded).entries[1]).toMatchObject({ origin: 'compaction', content: [text('So far: one')] });
	});

	test('sub-agents inside a session get files of their own', () => {
		const encoded = write([
			entry('user', [text('lead')]),
			entry('user', [text('task')], { agent: 'a b' }),
			{ kind: 'setting', id: 't', records: [], set: { title: 'T' } },
		]);
		const child = decodeBytes(cline, besideOf(encoded, 'a_b.messages.json'));
		expect(child.header).toMatchObject({ agent: 'a_b', from: { session: '1700000000000_a' } });
		expect(conversationOf(child.entries)).toEqual(['user: task']);
		expect(conversationOf(read(encoded).entries)).toEqual(['user: lead']);
	});

	test('sub-agents whose names would make one file, or that of the session, get a file each', () => {
		const agents = ['a b', 'a_b', 'A_B', '1700000000000_a'];
		const encoded = write([
			entry('user', [text('lead')]),
			...agents.map((agent) => entry('user', [text(`task of ${agent}`)], { agent })),
		]);
		const files = encoded.beside
			.map(({ path }) => path.toLowerCase())
			.filter((path) => path.endsWith('.messages.json'));
		expect(new Set(files).size).toBe(agents.length);
		expect(files).not.toContain('1700000000000_a.messages.json');
	});
});
