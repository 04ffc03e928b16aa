/** What a model is told beside the conversation: the user's instructions and the project's, in Claude Code's order, and nothing from elsewhere. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage, type Ended } from './support/client.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

/** In the project, or in the user's own folder (`~/`). */
function put(name: string, text: string): void {
	const path = name.startsWith('~/') ? join(stage.home, '.claude', name.slice(2)) : stage.file(name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

/** A prompt, answered by whether the instructions fit the pattern. */
async function told(pattern: string, ...args: readonly string[]): Promise<Ended> {
	const script = stage.script([{ when: { system: pattern }, text: 'it was told' }, { text: 'it was not told' }]);
	return await stage.run(['-p', 'go', '--script', script, ...args]);
}

const inOrder = (...words: readonly string[]): string => `^[^]*${words.join('[^]*')}[^]*$`;

describe('the instructions', () => {
	it('are the user’s own, then the project’s, each file before what it imports', async () => {
		put('~/CLAUDE.md', 'ONE @more.md');
		put('~/more.md', 'TWO');
		put('~/rules/style.md', 'THREE');
		put('CLAUDE.md', 'FOUR, see @docs/deep.md.');
		put('docs/deep.md', 'FIVE\n@../six.md');
		put('six.md', 'SIX @CLAUDE.md');
		put('.claude/CLAUDE.md', 'SEVEN');
		put('.claude/rules/a/all.md', '---\ndescription: all\n---\nEIGHT');
		put('CLAUDE.local.md', 'NINE');
		const words = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE'];
		expect(await told(inOrder(...words))).toMatchObject({ out: 'it was told\n', err: '' });
		expect((await told('FOUR[^]*FOUR')).out).toBe('it was not told\n');
	});

	it('are of the sources that are named', async () => {
		put('~/CLAUDE.md', 'USER');
		put('CLAUDE.md', 'PROJECT');
		put('CLAUDE.local.md', 'LOCAL');
		for (const [sources, word] of [
			['user', 'USER'],
			['project', 'PROJECT'],
			['local', 'LOCAL'],
		] as const) {
			expect((await told(word, '--setting-sources', sources)).out).toBe('it was told\n');
			const others = ['USER', 'PROJECT', 'LOCAL'].filter((one) => one !== word).join('|');
			expect((await told(others, '--setting-sources', sources)).out).toBe('it was not told\n');
		}
	});

	it('of AGENTS.md count in a folder without CLAUDE.md', async () => {
		put('AGENTS.md', 'FOR-ALL');
		expect((await told('FOR-ALL')).out).toBe('it was told\n');
		put('CLAUDE.md', 'FOR-ONE');
		expect((await told('FOR-ALL')).out).toBe('it was not told\n');
	});

	it('for some files alone are not told before one of them is read', async () => {
		put('.claude/rules/tests.md', '---\npaths: "**/*.test.ts"\n---\nONLY-TESTS');
		expect((await told('ONLY-TESTS')).out).toBe('it was not told\n');
	});

	it.each(['claude-code', 'cline', 'clido', 'pi'])(
		'for some files are told once, also when the session goes on (%s)',
		async (format) => {
			put('below/CLAUDE.md', 'BELOW');
			put('below/a.txt', 'text');
			const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('below/a.txt') } };
			const again = () =>
				stage.script([{ content: [read] }, { when: { any: 'BELOW[^]*BELOW' }, text: 'twice' }, { text: 'once' }]);
			expect((await stage.run(['-p', 'go', '--script', again(), '--session-format', format])).out).toBe('once\n');
			expect((await stage.run(['-c', '-p', 'go on', '--script', again()])).out).toBe('once\n');
		},
	);

	it('import nothing from outside of the project, and nothing that a rule denies: both are said', async () => {
		writeFileSync(join(stage.home, 'key'), 'PRIVATE');
		symlinkSync(join(stage.home, 'key'), stage.file('linked.md'));
		put('secret.md', 'DENIED');
		put('CLAUDE.md', '@~/key @linked.md @secret.md');
		const { out, err } = await told('PRIVATE|DENIED', '--disallowedTools', 'Read(secret.md)');
		expect(out).toBe('it was not told\n');
		expect(err).toMatch(/home\/key is not sent: it is outside of the project, and .*CLAUDE.md imports it/);
		expect(err).toMatch(/linked.md is not sent: it is outside of the project/);
		expect(err).toMatch(/secret.md is not sent: a rule denies reading it/);
	});

	it('name people, packages and code without importing anything', async () => {
		put('code.md', 'CODE');
		put('CLAUDE.md', 'Ask @anna about @types/node, a@code.md and `@code.md`.\n```\n@code.md\n```\n');
		expect(await told('CODE')).toMatchObject({ out: 'it was not told\n', err: '' });
	});
});
