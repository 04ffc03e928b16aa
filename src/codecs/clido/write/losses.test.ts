/** What a Clido session cannot hold is said, thing by thing. */
import { describe, expect, it } from 'vitest';
import { call, chain, header, message, text, types, uuid, write } from '../../../../test/support/clido-entries.ts';
import type { Block, Entry, Header, Json, Profile } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { clido } from '../index.ts';

describe('losses', () => {
	const lost = (entry: Entry, profile: Profile = 'client') =>
		write(profile, [entry]).losses.map(({ path, how }) => `${path} ${how}`);

	it('ids, times, models, usage, stop reasons and unknown fields', () => {
		const entry = message('assistant', [text('a')], {
			id: 'b7e0',
			time: '2026-01-02T03:04:05Z',
			extra: { requestId: 'r' },
			response: {
				model: 'm',
				stop: 'end',
				costUsd: 1,
				usage: { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
			},
		});
		expect(lost(entry)).toEqual([
			'id dropped',
			'time dropped',
			'extra dropped',
			'response.model dropped',
			'response.stop dropped',
			'response.costUsd dropped',
			'response.usage dropped',
		]);
	});

	it('the header', () => {
		const more: Header = { model: 'm', gitBranch: 'main', systemPrompt: 's', from: { how: 'fork', session: 'x' } };
		expect(write('client', [], more).losses.map((loss) => loss.path)).toEqual([
			'header.model',
			'header.gitBranch',
			'header.systemPrompt',
			'header.from',
		]);
		const { losses } = clido.write.encode({ profile: 'client', id: 'x', header: {}, entries: [] });
		expect(losses.map(({ path, how }) => `${path} ${how}`)).toEqual(['header.created invented', 'header.cwd invented']);
	});

	it('blocks that Clido refuses or does not have', () => {
		expect(lost(message('assistant', [{ type: 'thinking', text: 'a', signature: 's' }]))).toEqual([
			'content[0].signature dropped',
		]);
		expect(lost(message('assistant', [{ type: 'thinking', text: '', redacted: 'x' }]))).toEqual(['content[0] dropped']);
		expect(lost(message('assistant', [{ type: 'thinking', text: 'a' }]), 'published')).toEqual(['content[0] dropped']);
		expect(lost(message('user', [{ type: 'document', mime: 'application/pdf', data: { base64: 'a' } }]))).toEqual([
			'content[0] approximated',
		]);
		expect(lost(message('user', [{ type: 'image', mime: 'image/png', data: { url: 'a' } }]))).toEqual([
			'content[0] approximated',
		]);
		expect(lost(message('user', [{ type: 'opaque', of: 'x', value: {} }]))).toEqual(['content[0] dropped']);
		expect(lost(message('user', [{ type: 'file', path: 'a', text: 'b' }]))).toEqual(['content[0] approximated']);
	});

	it('what a result holds beside its text', () => {
		const image: Block = { type: 'image', mime: 'image/png', data: { base64: 'a' } };
		const rich = message('user', [
			{ type: 'tool_result', call: '1', name: 'Read', content: [text('a'), image], isError: false, details: { a: 1 } },
		]);
		expect(lost(rich)).toEqual([
			'content[0].details dropped',
			'content[0].name dropped',
			'content[0].content approximated',
			'content[0].content[1] approximated',
		]);
		expect(write('client', [rich]).lines[1]).toContain('"content":"a\\n[image: image/png]"');
		const odd = { path: '/a', mtimeNs: '99999999999999999999' };
		const stale = message('user', [
			{ type: 'tool_result', call: '1', content: [], isError: false, durationMs: -1, file: odd },
		]);
		expect(lost(stale)).toEqual(['content[0].durationMs dropped', 'content[0].file.mtimeNs dropped']);
	});

	it('other kinds of entries', () => {
		const base = { id: 'line:1', records: [] };
		expect(lost({ ...base, kind: 'label', target: 'a', text: 'l' })).toEqual([' dropped']);
		expect(lost({ ...base, kind: 'opaque', type: 'x' })).toEqual([' dropped']);
		expect(lost({ ...base, kind: 'checkpoint', update: false, files: [] })).toEqual([' dropped']);
		expect(lost({ ...base, kind: 'setting', set: { model: 'm', title: null } })).toEqual([
			'set.model dropped',
			'set.title dropped',
		]);
		expect(lost({ ...base, kind: 'event', event: { type: 'timing', durationMs: 1 } })).toEqual([' dropped']);
		expect(lost({ ...base, kind: 'event', event: { type: 'notice', level: 'x' } }, 'published')).toEqual([
			'event.level approximated',
		]);
		expect(lost({ ...base, kind: 'compaction', summary: 's' })).toEqual([]);
		expect(lost({ ...base, kind: 'compaction', summary: 's', parent: null })).toEqual([' approximated']);
		expect(lost({ ...base, kind: 'summary', text: 's', of: 'branch' })).toEqual([' approximated']);
		expect(lost({ ...base, kind: 'outcome', status: 'completed' })).toEqual([
			'costUsd invented',
			'turns invented',
			'durationMs invented',
		]);
		expect(lost(message('system', [text('s')]))).toEqual(['role approximated']);
		expect(lost(message('user', [text('s')], { audience: 'user' }))).toEqual(['audience approximated']);
		expect(lost(message('user', [text('s')], { agent: 'a1' }))).toEqual(['agent dropped']);
		const failed = message('assistant', [], { response: { error: 'overloaded' } });
		expect(lost(failed)).toEqual(['response.error dropped', ' approximated']);
		expect(write('client', [failed]).lines[1]).toBe('{"type":"system","subtype":"error","message":"overloaded"}');
	});

	it('but not the entries of a sub-agent when its own file is written', () => {
		const own = message('user', [text('s')], { agent: 'a1' });
		const { lines, losses } = write('client', [own], { agent: 'a1' });
		expect(types(lines)).toEqual(['meta', 'user_message']);
		expect(losses.map((loss) => loss.path)).toEqual(['header.agent']);
	});

	it('branches that were left', () => {
		const root = message('user', [text('x')]);
		const left = message('assistant', [text('no')], { parent: root.id });
		const kept = message('assistant', [text('yes')], { parent: root.id });
		const { lines, losses } = write('client', [root, left, kept]);
		expect(types(lines)).toEqual(['meta', 'user_message', 'assistant_message']);
		expect(losses).toMatchObject([{ entry: left.id, path: 'parent', how: 'dropped' }]);
	});

	it('what Clido could not read is replaced and said so', () => {
		let input: Json = {};
		for (let i = 0; i < 300; i += 1) input = { a: input };
		const deep = { type: 'tool_call' as const, id: '1', name: 'Read', input };
		const odd = chain(
			message('user', [text('a\ud800b')]),
			message('assistant', [deep, call('2', { n: Number.POSITIVE_INFINITY })]),
		);
		const { bytes, losses } = clido.write.encode({ profile: 'client', id: uuid, header, entries: odd });
		expect(checkBytes(clido, bytes).filter((issue) => issue.severity === 'error')).toEqual([]);
		expect(losses.map((loss) => loss.entry)).toEqual(odd.map((entry) => entry.id));
	});
});
