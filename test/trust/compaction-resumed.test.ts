/** Compaction and resuming, one process after the other: what is sent next, and what counts towards the limit. */
import { describe, expect, it } from 'vitest';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage } from '../support/client.ts';

const summary: ScriptTurnInput = {
	when: { last: 'is about to be replaced by a summary' },
	text: '<title>A talk</title><summary>They talked.</summary>',
};
const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const long = 'Looking into it word by word. '.repeat(300);

async function sentBy(stage: ClientStage, ...flags: readonly string[]): Promise<readonly string[]> {
	const { out } = await stage.run(['context', 'last', '--json', ...flags]);
	const { messages } = JSON.parse(out) as {
		readonly messages: readonly { readonly role: string; readonly content: readonly { readonly text?: string }[] }[];
	};
	return messages.map(({ role, content }) => `${role}: ${content.at(-1)?.text?.slice(0, 13)}`);
}

describe.each(['claude-code', 'cline', 'openclaw'])('a session of %s', (format) => {
	it('that ends with /compact goes on with the reply that was kept', async () => {
		using stage = new ClientStage();
		const flags = ['--session-format', format];
		await stage.run(['-p', 'one', '--script', stage.script([{ text: long }]), ...flags]);
		await stage.run(['-c', '-p', 'two', '--script', stage.script([{ text: 'Done with it.' }])]);
		const { out } = await stage.run(['-c', '-p', '/compact', '--script', stage.script([summary])]);
		expect(out).toMatch(/^Compacted/);
		expect((await sentBy(stage)).slice(1)).toEqual(['assistant: Done with it.']);
		const hears = [{ when: { any: 'Done with it' }, text: 'Heard.' }, { text: 'Not heard.' }];
		const ended = await stage.run(['-c', '-p', 'three', '--script', stage.script(hears)]);
		expect(ended.out).toBe('Heard.\n');
		expect((await sentBy(stage)).slice(1)).toEqual(['assistant: Done with it.', 'user: three', 'assistant: Heard.']);
	});

	it('is compacted by what its last reply reported, also by a process that only goes on, and never by what a kept one reported', async () => {
		using stage = new ClientStage();
		const flags = ['--session-format', format];
		const full = { text: 'Done with it.', usage: { input: 190_000, output: 50, cacheRead: 0, cacheWrite: 0 } };
		await stage.run(['-p', 'one', '--script', stage.script([full]), ...flags]);
		const next = () => stage.run(['-c', '-p', 'two', '--script', stage.script([summary, { text: 'Went on.' }])]);
		const ended = await next();
		expect(ended).toMatchObject({ code: 0, out: 'Went on.\n' });
		expect(ended.err).toMatch(/was compacted: about 190,\d+ tokens became about [45],\d+ /);
		expect((await next()).err).not.toContain('compacted');
	});

	it('is said to be as long as its last reply reported by /compact, and not by the reply that it kept', async () => {
		using stage = new ClientStage();
		const used = { input: 160_000, output: 50, cacheRead: 0, cacheWrite: 0 };
		await stage.run(['-p', 'one', '--script', stage.script([{ text: long }]), '--session-format', format]);
		await stage.run(['-c', '-p', 'two', '--script', stage.script([{ text: 'Done with it.', usage: used }])]);
		const compact = () => stage.run(['-c', '-p', '/compact', '--script', stage.script([summary])]);
		expect((await compact()).out).toMatch(/^Compacted: about 160,050 tokens became about [45],\d+ /);
		// The kept reply still says 160,050, of a conversation that is gone.
		expect((await stage.run(['-c', '-p', 'three', '--script', stage.script([{ text: long, usage: none }])])).code).toBe(
			0,
		);
		expect((await compact()).out).toMatch(/^Compacted: about [78],\d+ tokens became/);
	});
});

it('a copy without its compactions is as long as everything in it, whatever the replies behind them reported', async () => {
	using stage = new ClientStage();
	const longer = 'word '.repeat(175_000);
	await stage.run(['-p', '--script', stage.script([{ text: 'Read it.', usage: none }])], { input: longer });
	await stage.run(['-c', '-p', '/compact', '--script', stage.script([summary])]);
	const small = { input: 6000, output: 50, cacheRead: 0, cacheWrite: 0 };
	await stage.run(['-c', '-p', 'two', '--script', stage.script([{ text: 'Went on.', usage: small }])]);
	const { out } = await stage.run(['uncompact', 'last', '--json']);
	const { path } = JSON.parse(out) as { readonly path: string };
	const script = stage.script([summary, { text: 'Went on again.' }]);
	expect((await stage.run(['-r', path, '-p', 'three', '--script', script])).err).toContain('was compacted: about 17');
});

it('a command behind /compact is told with the next prompt, behind the reply that was kept', async () => {
	using stage = new ClientStage();
	await stage.run(['-p', 'one', '--script', stage.script([{ text: long }])]);
	await stage.run(['-c', '-p', 'two', '--script', stage.script([{ text: 'Done with it.' }])]);
	await stage.run(['-c', '-p', '/compact', '--script', stage.script([summary])]);
	await stage.run(['-c', '-p', '/cost', '--script', stage.script([])]);
	const [, kept, told] = await sentBy(stage, '--client', '2.1.325');
	expect([kept, told]).toEqual(['assistant: Done with it.', expect.stringMatching(/^user: <(command|local)/)]);
});

describe('the user’s own words', () => {
	/** What is kept of three prompts when they are compacted under these settings. */
	async function kept(settings: object, env: { readonly [name: string]: string } = {}) {
		using stage = new ClientStage();
		const flags = ['--settings', JSON.stringify(settings)];
		const said = (letter: string) => `${letter} `.repeat(1000).trim();
		await stage.run(['-p', '--script', stage.script([{ text: long }])], { input: said('a') });
		await stage.run(['-c', '-p', '--script', stage.script([{ text: long }])], { input: said('b') });
		await stage.run(['-c', '-p', '--script', stage.script([{ text: 'Done.' }])], { input: said('c') });
		const script = stage.script([summary]);
		expect((await stage.run(['-c', '-p', '/compact', '--script', script, ...flags], { env })).out).toMatch(
			/^Compacted/,
		);
		const { out } = await stage.run(['context', 'last', '--json']);
		const { messages } = JSON.parse(out) as {
			readonly messages: readonly { readonly content: readonly { readonly text: string }[] }[];
		};
		const text = messages[0]?.content[0]?.text ?? '';
		const words = [...text.matchAll(/<user_message>\n([\s\S]*?)\n<\/user_message>/g)].map(([, one = '']) => one);
		return { text, lengths: words.map((one) => one.length), first: words.map((one) => one[0]), words };
	}

	it('are kept up to as many characters as compactWords says, the newest first, and it is said what is missing', async () => {
		expect((await kept({})).lengths).toEqual([1999, 1999, 1999]);
		const some = await kept({ compactWords: 2500 });
		expect(some.first).toEqual(['b', 'c']);
		expect(some.words[0]).toMatch(/^(b )+b?\n\[… 1498 more characters\]$/);
		expect(some.words[1]).toHaveLength(1999);
		expect(some.text).toContain('(without the first 1)');
		const few = await kept({ compactWords: 2100 });
		expect(few.first).toEqual(['c']);
		expect(few.text).toContain('(without the first 2)');
		const none = await kept({ compactWords: 0 });
		expect(none.text).not.toContain('What the user said');
	});

	it('take at most an eighth of the window', async () => {
		const { text, lengths } = await kept({}, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '12000' });
		expect(lengths.reduce((sum, one) => sum + one, 0)).toBeLessThan((12_000 / 8) * 3 + 50);
		expect(lengths.at(-1)).toBe(1999);
		expect(text).toMatch(/more characters\]/);
	});
});
