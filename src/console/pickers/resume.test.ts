/** Laws of the session picker's data: nothing that is typed, and no file that goes away, ends the console. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { thisMachine } from '../../store/find/folders.ts';
import { ownLog } from '../../store/own-data/own-data.ts';
import { Dialogs } from '../dialogs.ts';
import { plainTheme } from '../theme.ts';
import { pickSession } from './resume.ts';

const size = { width: 80, height: 24 };
let home = '';
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'reprise-picker-'));
	vi.stubEnv('HOME', home)
		.stubEnv('CLAUDE_CONFIG_DIR', join(home, '.claude'))
		.stubEnv('REPRISE_HOME', join(home, 'own'));
	mkdirSync(join(home, '.claude/projects/-home-dev-notes'), { recursive: true });
	cpSync(join(import.meta.dirname, '../../../samples/claude-code.jsonl'), file());
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(home, { recursive: true });
});

const file = () => join(home, '.claude/projects/-home-dev-notes/c1a0de00-5e55-4000-8000-00000000c0de.jsonl');

function open() {
	const dialogs = new Dialogs(() => undefined);
	const picked = pickSession(dialogs, { cwd: home });
	const shows = async (words: string): Promise<void> =>
		await vi.waitFor(() => expect(dialogs.rows(size, plainTheme)?.join('\n')).toContain(words));
	const press = (name: string, text?: string): void =>
		void dialogs.press({ name, ...(text === undefined ? {} : { text }) }, size);
	const text = (): string => dialogs.rows(size, plainTheme)?.join('\n') ?? '';
	return { picked, shows, press, text };
}

it('signs without a word are searched for, and not found', async () => {
	const { picked, shows, press } = open();
	await shows('Why does the parser test fail?');
	press('tab');
	press('text', '-x');
	await shows('Nobody said that.');
	press('text', ' parser');
	press('escape');
	expect(await picked).toBeUndefined();
});

it('a session that is gone is previewed as such', async () => {
	const { picked, shows, press } = open();
	await shows('Why does the parser test fail?');
	rmSync(file());
	press('right');
	await shows('does not exist');
	press('escape');
	expect(await picked).toBeUndefined();
});

it('a session that another writes is not renamed, and the list says why until the next key', async () => {
	const { picked, shows, press, text } = open();
	await shows('Why does the parser test fail?');
	await using _other = await ownLog(thisMachine()).writer(file());
	press('ctrl+r');
	press('text', ' indeed');
	press('enter');
	await shows('is being written by');
	press('down');
	expect(text()).not.toContain('is being written by');
	press('escape');
	expect(await picked).toBeUndefined();
});
