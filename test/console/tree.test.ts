/** The tree of a conversation at the console: its branches, in its own file and in others, reached and named. */
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const says = (...texts: readonly string[]) => texts.map((text) => ({ text }));

function send(tmux: Tmux, text: string): void {
	tmux.type(text);
	tmux.press('Enter');
}

describe.skipIf(!hasTmux)('/tree', { timeout: 60_000 }, () => {
	it('jumps back to a reply, names it, and shows both ways on from there', async () => {
		using stage = new ClientStage();
		const script = stage.script(says('First answer.', 'Second answer.', 'Other answer.'));
		using tmux = new Tmux(stage, ['--script', script, 'one']);
		await tmux.shows('● First answer.');
		send(tmux, 'two');
		await tmux.shows('● Second answer.');
		send(tmux, '/tree');
		await tmux.shows('❯ ● assistant: Second answer.');
		tmux.press('Up', 'Up');
		await tmux.shows('❯ ● assistant: First answer.');
		tmux.press('C-l');
		await tmux.shows('Label: ');
		send(tmux, 'good place');
		await tmux.shows('❯ ● [good place] assistant: First answer.');
		tmux.press('Enter');
		await tmux.shows(/goes on from[\s\S]*❯ one\n\n● First answer\.\n─/);
		send(tmux, 'three');
		await tmux.shows('● Other answer.');
		send(tmux, '/tree');
		const tree = await tmux.shows('Tree: without tools');
		expect(tree).toContain('● [good place] assistant: First answer.');
		expect(tree).toMatch(/├─ {3}user: two\n {2}│ {4}assistant: Second answer\.\n {2}└─ ● user: three/);
		tmux.press('Up', 'Up', 'Up');
		await tmux.shows('❯ ├─   user: two');
		tmux.press('Enter');
		// A prompt is taken back, to be said anew.
		await tmux.shows(/─\n❯ two/);
	});

	it('spans the files of other agents, and goes on there', async () => {
		using stage = new ClientStage();
		const first = await stage.json('-p', 'one', '--script', stage.script(says('First answer.')));
		await stage.run(['handoff', String(first.session_id), '--to', 'pi']);
		const theirs = (await stage.sessions()).find(({ agent }) => agent === 'pi')?.path ?? '';
		await stage.run(['-p', 'said in pi', '-r', theirs, '--script', stage.script(says('Answered in pi.'))]);
		const here = ['-r', String(first.session_id), '--script', stage.script(says('Answered here.', 'Here again.'))];
		using tmux = new Tmux(stage, [...here, 'said here']);
		await tmux.shows('● Answered here.');
		send(tmux, '/tree');
		const tree = await tmux.shows('Tree: without tools');
		expect(tree).toMatch(/● assistant: First answer\.\n {2}├─ ● user: said here/);
		expect(tree).toMatch(/└─ {3}user: said in pi {2}pi [\da-f]{8}\n {7}assistant: Answered in pi\./);
		tmux.type('answered in pi');
		await tmux.shows(/❯.*assistant: Answered in pi\./);
		tmux.press('Enter');
		await tmux.shows(/❯ said in pi\n\n● Answered in pi\.\n─/);
		send(tmux, 'and on');
		await tmux.shows('● Here again.');
		const { out } = await stage.run(['show', theirs]);
		expect(out).toContain('Here again.');
	});

	it.each(['clido', 'cline', 'openclaw'])('goes back in a session of %s, in its file or in a copy', async (format) => {
		using stage = new ClientStage();
		const script = stage.script(says('First answer.', 'Second answer.', 'Other answer.'));
		using tmux = new Tmux(stage, ['--session-format', format, '--script', script, 'one']);
		await tmux.shows('● First answer.');
		send(tmux, 'two');
		await tmux.shows('● Second answer.');
		send(tmux, '/tree');
		await tmux.shows('❯ ● assistant: Second answer.');
		tmux.press('Up', 'Up', 'Enter');
		await tmux.shows(/goes on from[\s\S]*❯ one\n\n● First answer\.\n─/);
		send(tmux, 'three');
		await tmux.shows('● Other answer.');
		send(tmux, '/tree');
		const tree = await tmux.shows('Tree: without tools');
		expect(tree).toMatch(/● assistant: First answer\.\n[\s\S]*─ [ ●] user: t[\s\S]*─ [ ●] user: t/);
		expect(tree).toContain('● user: three');
	});
});
