/** Forks and copies that hand-offs made have the title of their session: the list says whose copies they are, and what each has cost, as `ls` does. */
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

describe.skipIf(!hasTmux)('the list of sessions', { timeout: 60_000 }, () => {
	it('tells copies from their session, and counts what all of them have cost without a key', async () => {
		using stage = new ClientStage();
		const usage = { input: 100_000, output: 20_000 };
		const script = stage.script([{ text: 'Hello.', usage }]);
		await stage.json('-p', 'hello', '--script', script, '--model', 'claude-opus-4-1');
		const [own] = await stage.sessions();
		const id = (own?.id ?? '').slice(0, 8);
		expect((await stage.run(['fork', 'last'])).code).toBe(0);
		expect((await stage.run(['handoff', own?.path ?? '', '--to', 'pi'])).code).toBe(0);
		const copy = (await stage.sessions()).find(({ agent }) => agent === 'pi');
		const costs = async (path = '') => (await stage.run(['-p', '/cost', '-r', path])).out;
		expect(await costs(own?.path)).toContain('for 1 reply');
		expect(await costs(copy?.path)).not.toContain('for 1 reply');
		using tmux = new Tmux(stage, ['-r']);
		const shown = await tmux.shows(/(?:cost|\$)[\s\S]*(?:cost|\$)[\s\S]*(?:cost|\$)/);
		expect(shown.match(new RegExp(`copy of claude-code ${id}`, 'g'))).toHaveLength(2);
		tmux.press('Escape');
	});

	it('a whole prompt is no title in a pipe', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'ok' }]);
		await stage.run(['-p', 'word '.repeat(200), '--script', script, '--session-format', 'cline']);
		const { out } = await stage.run(['ls']);
		for (const line of out.split('\n')) expect(line.length).toBeLessThan(200);
	});
});
