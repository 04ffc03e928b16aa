/** What the user's own shell commands (`!`) change goes back with the conversation, as what the model's commands change. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries } from '../support/rewinding.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const runs = (command: string) => ({ content: [{ type: 'tool_use' as const, name: 'Bash', input: { command } }] });

describe.skipIf(!hasTmux)('what ! changed', { timeout: 60_000 }, () => {
	it('goes back with /rewind to before it, stays with what stays in the conversation, and can be undone', async () => {
		using stage = new ClientStage();
		const design = () => readFileSync(stage.file('design.md'), 'utf8');
		writeFileSync(stage.file('design.md'), 'begun\n');
		const script = stage.script([{ text: 'One.' }, runs('echo model >> design.md'), { text: 'Two.' }]);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'bypassPermissions', 'one']);
		await tmux.shows('● One.');
		const own = async (command: string, shown: string | RegExp) => {
			tmux.type(command);
			// What comes in one read is a paste, and its end no Enter.
			await tmux.shows(`❯ ${command}`);
			tmux.press('Enter');
			await tmux.shows(shown);
		};
		await own('!echo by-shell > made.txt; echo first >> design.md; echo 1-$((1+1))', '1-2');
		await own('!echo second >> design.md; echo 2-$((1+1))', '2-2');
		await own('two', '● Two.');
		expect(design()).toBe('begun\nfirst\nsecond\nmodel\n');
		await own('/rewind', /Rewind {2}\d of \d[\s\S]*❯ two/);
		tmux.press('Up');
		await tmux.shows(/❯ ! echo second/);
		tmux.press('Enter');
		await tmux.shows('What goes back?');
		tmux.press('1');
		await tmux.shows(/These files were restored: design\.md/);
		expect(design()).toBe('begun\nfirst\n');
		expect(existsSync(stage.file('made.txt'))).toBe(true);
		tmux.press('C-u');
		await own('/rewind --undo', /restored: design\.md[\s\S]*restored: design\.md/);
		expect(design()).toBe('begun\nfirst\nsecond\nmodel\n');
		tmux.press('C-d');
		await tmux.shows('ended with 0');
		const [, first = ''] = await entries(stage, 'prompt');
		const back = await stage.run(['rewind', 'last', '--to', first, '--files', '-y']);
		expect(back.err + back.out).not.toContain('somebody');
		expect(design()).toBe('begun\n');
		expect(existsSync(stage.file('made.txt'))).toBe(false);
	});
});
