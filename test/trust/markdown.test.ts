/** Replies are Markdown: on a terminal they are shown as such, in a pipe they stay as they are. */
import { afterAll, describe, expect, it } from 'vitest';
import { MarkdownStream } from '../../src/terminal/markdown-stream.ts';
import { ClientStage } from '../support/client.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const reply = '# Done\n\nAll **good**:\n\n- one\n- `two`\n\n```js\nconst a = 1;\n\nconst b = 2;\n```\n\nThe end.';

describe('a reply', () => {
	it.skipIf(!hasTerminals)('is rendered on a terminal', async () => {
		const script = stage.script([{ text: reply, chunk: 3 }]);
		await using terminal = new Terminal(stage, ['-p', 'go', '--script', script], { NO_COLOR: undefined });
		expect(await terminal.end()).toBe(0);
		expect(terminal.text).toBe('Done\n\nAll good:\n\n• one\n• two\n\n  const a = 1;\n\n  const b = 2;\n\nThe end.\n');
		expect(terminal.raw).toContain('\u001b[1mDone\u001b[0m');
	});

	it('stays Markdown in a pipe', async () => {
		const script = stage.script([{ text: reply, chunk: 3 }]);
		expect((await stage.run(['-p', 'go', '--script', script])).out).toBe(`${reply}\n`);
	});

	it.skipIf(!hasTerminals)('cannot move the cursor or change the clipboard', async () => {
		const script = stage.script([{ text: 'a \u001b]52;c;aGk=\u0007 b\rgone\n\n**c \u001b[2J d**' }]);
		await using terminal = new Terminal(stage, ['-p', 'go', '--script', script]);
		await terminal.end();
		expect(terminal.raw).not.toContain('\u001b]');
		expect(terminal.raw).not.toContain('\u001b[2J');
		expect(terminal.text).toBe('a \\x1b]52;c;aGk=\\x07 b\\x0dgone\n\nc \\x1b[2J d\n');
	});
});

describe('a reply that is still being written', () => {
	it('is shown block by block, whatever the pieces are, and is the same in the end', () => {
		const whole = new MarkdownStream(80);
		const expected = whole.push(reply) + whole.end();
		for (const size of [1, 2, 5, 13]) {
			const stream = new MarkdownStream(80);
			let shown = '';
			for (let at = 0; at < reply.length; at += size) shown += stream.push(reply.slice(at, at + size));
			expect(shown).toContain('• one');
			expect(shown).not.toContain('The end.');
			expect(shown + stream.end()).toBe(expected);
		}
	});
});
