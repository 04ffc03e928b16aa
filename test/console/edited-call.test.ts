/** A call that the user has edited at the question: what runs is what was looked at, and is what the model, the console and the session say. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

const call = (name: string, input: object) => ({ content: [{ type: 'tool_use' as const, name, input }] });
const wanted = call('Bash', { command: 'touch wanted && echo done' });

/** An editor that puts another word in the place of `wanted`. */
function editor(stage: ClientStage, word: string): { readonly EDITOR: string } {
	const path = stage.file('editor.sh');
	writeFileSync(path, `#!/bin/sh\nsed -i s/wanted/${word}/ "$1"\n`, { mode: 0o755 });
	return { EDITOR: path };
}

async function answer(tmux: Tmux, key: string): Promise<void> {
	await afterGuard();
	tmux.press(key);
}

const edited = 'The user edited this call before allowing it. What was run instead:';

describe.skipIf(!hasTmux)('a command that is edited at the question', { timeout: 60_000 }, () => {
	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'is asked about again, and what ran is told to the model and shown, at once and later: %s',
		async (format) => {
			using stage = new ClientStage();
			const script = stage.script([wanted, { when: 'What was run instead', text: 'Heard it.' }] as never);
			const args = ['--script', script, '--session-format', format];
			using tmux = new Tmux(stage, [...args, 'go'], editor(stage, 'other'));
			await tmux.shows('Edit the command first');
			await answer(tmux, '4');
			const asked = await tmux.shows('Allow it as you have edited it?');
			expect(asked).toContain('│ touch other && echo done');
			expect(existsSync(stage.file('other'))).toBe(false);
			await answer(tmux, '1');
			const ran = await tmux.shows('● Heard it.');
			expect([existsSync(stage.file('other')), existsSync(stage.file('wanted'))]).toEqual([true, false]);
			const row = /● Bash\(touch other && echo done\)\n {2}⎿ {2}The user edited this call/;
			expect(ran).toMatch(row);
			expect(ran).not.toContain('wanted');
			tmux.press('C-d');
			await tmux.shows('ended with 0');
			using again = new Tmux(stage, ['-c', '--script', script]);
			expect(await again.shows('● Heard it.')).toMatch(row);
			const { out } = await stage.run(['show', 'last', '--full']);
			expect(out).toContain(edited);
			expect(out).toContain('· the user changed this call to: touch other && echo done');
			const [session] = await stage.sessions();
			expect((await stage.run(['check', session?.path ?? ''])).code).toBe(0);
		},
	);

	it('is allowed from now on as it was edited, and a rule that denies it holds', async () => {
		using stage = new ClientStage();
		const script = stage.script([wanted, { text: 'Done.' }, wanted, { text: 'Over.' }] as never);
		const denies = '--disallowedTools=Bash(touch other:*)';
		using tmux = new Tmux(stage, ['--script', script, 'go'], editor(stage, 'other'));
		await tmux.shows('Edit the command first');
		await answer(tmux, '4');
		await tmux.shows('as you have edited it?');
		await answer(tmux, '2');
		await tmux.shows(/This rule allows it[^?]*touch other/);
		tmux.press('1');
		await tmux.shows('● Done.');
		using denied = new Tmux(stage, ['--script', script, denies, 'go'], editor(stage, 'other'));
		await denied.shows('Edit the command first');
		await answer(denied, '4');
		await denied.shows('a rule denies this command');
		await answer(denied, '1');
		expect(await denied.shows('● Done.')).toMatch(/✗ Bash\([\s\S]*denied/);
	});

	it('and so is a change of a file, of which the question shows what it has become', async () => {
		using stage = new ClientStage();
		const write = call('Write', { file_path: stage.file('new.txt'), content: 'wanted\n' });
		const change = { file_path: stage.file('new.txt'), old_string: 'other', new_string: 'wanted' };
		const script = stage.script([write, { text: 'Written.' }, call('Edit', change), { text: 'Changed.' }] as never);
		using tmux = new Tmux(stage, ['--script', script, 'go'], editor(stage, 'other'));
		await tmux.shows('Edit the change first');
		await answer(tmux, '4');
		const asked = await tmux.shows('Allow it as you have edited it?');
		expect(asked).toContain('│ +other');
		expect(asked).not.toContain('wanted');
		await answer(tmux, '1');
		await tmux.shows('● Written.');
		expect(readFileSync(stage.file('new.txt'), 'utf8')).toBe('other\n');
		const { out } = await stage.run(['show', 'last', '--full']);
		expect(out.replace(/\s+/g, ' ')).toContain('The user modified your proposed changes');
		expect(out).not.toContain(edited);
		writeFileSync(stage.file('editor.sh'), '#!/bin/sh\nprintf again > "$1"\n');
		tmux.type('change it');
		tmux.press('Enter');
		await tmux.shows('Edit the change first');
		await answer(tmux, '4');
		await tmux.shows('│ +again');
		await answer(tmux, '1');
		expect(await tmux.shows('● Changed.')).toContain('⎿  +1 -1, as you edited it\n     -other\n     +again');
	});
});
