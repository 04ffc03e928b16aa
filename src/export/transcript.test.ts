/** Laws of transcripts. */
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { codecOf, decodeBytes } from '../codecs/index.ts';
import { prompted } from '../codecs/shared/read/prompt-words.ts';
import { type Entry, history, lastInGraph, memorySource, type Session } from '../model/index.ts';
import { openSession } from '../store/reader/session-reader.ts';
import { markdown } from './markdown.ts';
import type { StoryOptions } from './story.ts';
import { storyOf } from './story-memory.ts';
import { type TranscriptOptions, type TranscriptPart, transcript as tell } from './transcript.ts';

const samples = join(import.meta.dirname, '../../samples');

function transcript(session: Session, options: StoryOptions & TranscriptOptions = {}): readonly TranscriptPart[] {
	return [...tell(storyOf(session, options), options)];
}

function session(entries: readonly Entry[]): Session {
	return {
		id: 's',
		format: 'claude-code',
		dialect: 'x',
		header: {},
		source: memorySource(new Uint8Array()),
		records: [],
		entries,
		leaf: lastInGraph(entries),
		issues: [],
		subagents: [],
	};
}
const message = (id: string, parent: string | null, role: 'user' | 'assistant', text: string): Entry => ({
	id,
	parent,
	kind: 'message',
	role,
	content: [{ type: 'text', text }],
	records: [],
});

describe('a transcript', () => {
	it('tells the same story whichever agent wrote it', async () => {
		const names = ['claude-code.jsonl', 'cline.messages.json', 'clido.jsonl', 'openclaw.jsonl'];
		const stories = await Promise.all(
			names.map(async (name) =>
				transcript(await openSession(join(samples, name)), { thinking: true }).map(({ from: _, ...part }) => part),
			),
		);
		for (const story of stories.slice(1)) expect(story).toEqual(stories[0]);
		expect(stories[0]?.map((part) => part.kind)).toContain('tool');
	});

	it('shows an edit as its change, from the call or from the patch the client kept', async () => {
		const [edit] = transcript(await openSession(join(samples, 'openclaw.jsonl'))).filter(
			(part) => part.kind === 'tool' && part.name === 'Edit',
		);
		expect(edit).toMatchObject({ change: expect.stringContaining("+return text === '' ? []") });
	});

	it('marks where another branch begins', () => {
		const entries = [
			message('a', null, 'user', 'one'),
			message('b', 'a', 'assistant', 'old'),
			message('c', 'a', 'assistant', 'new'),
		];
		expect(transcript(session(entries))).toMatchObject([
			{ kind: 'prompt' },
			{ kind: 'branch', leaf: 'b' },
			{ kind: 'reply', text: 'new' },
		]);
		expect(transcript(session(entries), { at: 'b' })).toMatchObject([
			{ kind: 'prompt' },
			{ kind: 'branch', leaf: 'c' },
			{ kind: 'reply', text: 'old' },
		]);
	});

	it('marks every branch where one leaves the path, also those that begin on another', () => {
		const entries = [
			message('a', null, 'user', 'one'),
			message('b', 'a', 'assistant', 'left'),
			message('c', 'b', 'user', 'first'),
			message('d', 'b', 'user', 'second'),
			message('e', 'a', 'assistant', 'new'),
		];
		expect(transcript(session(entries))).toMatchObject([
			{ kind: 'prompt' },
			{ kind: 'branch', leaf: 'c' },
			{ kind: 'branch', leaf: 'd' },
			{ kind: 'reply', text: 'new' },
		]);
	});

	it('says that a call was never answered', () => {
		const call: Entry = {
			id: 'a',
			parent: null,
			kind: 'message',
			role: 'assistant',
			content: [{ type: 'tool_call', id: 't', name: 'Bash', input: { command: 'ls' } }],
			records: [],
		};
		const [part] = transcript(session([call]));
		expect(part).toMatchObject({ kind: 'tool', subject: 'ls' });
		expect(part).not.toHaveProperty('output');
	});

	it('of every file of the corpus has every text that was said on its path', () => {
		for (const file of corpusFiles()) {
			const codec = codecOf(file.format);
			if (!codec || file.bytes().length === 0) continue;
			const session = decodeBytes(codec, file.bytes());
			const shown = transcript(session, { thinking: true, events: true })
				.map((part) => ('text' in part ? part.text : ''))
				.join('\n');
			for (const entry of history(session)) {
				if (entry.kind !== 'message') continue;
				for (const block of entry.content)
					if (block.type === 'text') expect(shown, file.name).toContain(block.text.trim());
			}
		}
	});
});

describe('a prompt', () => {
	it('that is a command is told as it was typed, with what it printed apart', () => {
		const xml =
			'<command-name>/compact</command-name>\n  <command-message>compact</command-message>\n  <command-args>the rest</command-args>';
		expect(prompted(xml)).toEqual({ text: '/compact the rest', isOutput: false });
		expect(prompted('<local-command-stdout>Compacted</local-command-stdout>')).toEqual({
			text: 'Compacted',
			isOutput: true,
		});
		expect(prompted('<bash-input>ls</bash-input>')).toEqual({ text: '! ls', isOutput: false, command: 'ls' });
		expect(prompted('<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>')).toEqual({
			text: 'a\nb',
			isOutput: true,
		});
		expect(prompted('what does <command-name> mean?')).toEqual({
			text: 'what does <command-name> mean?',
			isOutput: false,
		});
	});
});

describe('a story', () => {
	it('tells a compaction once, and a setting only when it changes', () => {
		const cut: Entry = { id: 'c', parent: null, logicalParent: 'a', kind: 'compaction', records: [] };
		const summary: Entry = { ...message('s', 'c', 'user', 'what happened'), origin: 'compaction' } as Entry;
		const mode = (id: string, parent: string, permissionMode: string): Entry => ({
			id,
			parent,
			kind: 'setting',
			set: { permissionMode },
			records: [],
		});
		const entries = [
			message('a', null, 'user', 'one'),
			cut,
			summary,
			mode('m1', 's', 'plan'),
			mode('m2', 'm1', 'plan'),
			mode('m3', 'm2', 'default'),
		];
		expect(transcript(session(entries), { events: true })).toMatchObject([
			{ kind: 'prompt' },
			{ kind: 'compaction', text: 'what happened' },
			{ kind: 'note', text: 'permission mode plan' },
			{ kind: 'note', text: 'permission mode default' },
		]);
		expect(transcript(session(entries.slice(0, 2)))).toMatchObject([
			{ kind: 'prompt' },
			{ kind: 'compaction', text: '' },
		]);
	});

	it('of the last turns begins with a prompt and says what is left out', () => {
		const entries = [
			message('a', null, 'user', 'one'),
			message('b', 'a', 'assistant', 'two'),
			message('c', 'b', 'user', 'three'),
		];
		expect(transcript(session(entries), { last: 1 })).toMatchObject([
			{ kind: 'omitted', entries: 2 },
			{ kind: 'prompt', text: 'three' },
		]);
		expect(transcript(session(entries), { last: 9 })).toHaveLength(3);
	});
});

describe('Markdown', () => {
	it('keeps text that looks like Markdown inside its own fence', () => {
		const entries: Entry[] = [
			{
				id: 'a',
				parent: null,
				kind: 'message',
				role: 'assistant',
				content: [{ type: 'tool_call', id: 't', name: 'Bash', input: { command: 'cat `x`' } }],
				records: [],
			},
			{
				id: 'b',
				parent: 'a',
				kind: 'message',
				role: 'user',
				content: [
					{
						type: 'tool_result',
						call: 't',
						content: [{ type: 'text', text: '```js\n# no heading\n```' }],
						isError: false,
					},
				],
				records: [],
			},
		];
		const tokens = marked.lexer([...markdown(session(entries), transcript(session(entries)), { fold: 12 })].join(''));
		expect(tokens.filter((token) => token.type === 'heading')).toHaveLength(1);
		expect(tokens.find((token) => token.type === 'code')).toMatchObject({ text: '```js\n# no heading\n```' });
	});
});
