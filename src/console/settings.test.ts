/** Laws of the console's settings, key bindings and themes. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Machine } from '../codecs/index.ts';
import { textWidth } from '../terminal/width.ts';
import { rendered } from '../terminal/writer.ts';
import { actionNames, actions, bindings, keyLabel, keyList, keyName } from './keys.ts';
import { defaultSettings, readConsoleSettings, saveConsoleSettings, settingsFile } from './settings.ts';
import { chosenTheme, darkTheme, lightTheme, plainTheme, terminalTheme } from './theme.ts';

let home: string;
let machine: Machine;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'console-settings-'));
	machine = { platform: 'linux', home, env: { REPRISE_HOME: join(home, 'own') } } as Machine;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function given(text: string): string {
	mkdirSync(join(home, 'own'), { recursive: true });
	writeFileSync(settingsFile(machine), text);
	return settingsFile(machine);
}

describe('the settings file', () => {
	it('what is not there is the default, and nothing is told', () => {
		expect(readConsoleSettings(machine)).toEqual({ settings: defaultSettings, notes: [] });
	});

	it('each field counts by itself: a bad one is one line with path and field, and its default counts', () => {
		const path = given(
			'{"theme":"pink","notify":"off","statusLine":["cost","weather"],"keys":{"expand":"ctrl+e"},"colour":1}',
		);
		const { settings, notes } = readConsoleSettings(machine);
		expect(settings).toMatchObject({
			theme: 'dark',
			notify: 'off',
			statusLine: defaultSettings.statusLine,
			keys: { expand: ['ctrl+e'] },
		});
		expect(notes).toHaveLength(3);
		for (const [at, field] of ['theme', 'statusLine.1', 'colour'].entries()) {
			expect(notes[at]).toContain(`${path}: ${field}: `);
			expect(notes[at]).not.toContain('\n');
		}
	});

	it('a key that is called like something every object has is no key', () => {
		const path = given('{"keys":{"exit":["constructor","constructor+x"]}}');
		expect(readConsoleSettings(machine).notes).toEqual(
			['constructor', 'constructor+x'].map((key) => `${path}: keys.exit: ${key} is no key that can be bound`),
		);
	});

	it('a file that is no JSON object, or cannot be read, is one line and the defaults count', () => {
		for (const text of ['', '[]', '{"theme":', 'null']) {
			const path = given(text);
			const { settings, notes } = readConsoleSettings(machine);
			expect(settings).toEqual(defaultSettings);
			expect(notes).toEqual([`${path} is not a JSON object: the defaults count`]);
		}
		rmSync(settingsFile(machine));
		mkdirSync(settingsFile(machine));
		expect(readConsoleSettings(machine)).toMatchObject({
			settings: defaultSettings,
			notes: [expect.stringMatching(/cannot be read/)],
		});
	});

	it('what is saved is read back, only what differs is written, and what else is there stays', async () => {
		given('{"$schema":"x","later":1,"theme":"light"}');
		const next = { ...defaultSettings, notify: 'desktop' as const, keys: { expand: ['ctrl+e'] } };
		await saveConsoleSettings(next, machine);
		expect(JSON.parse(readFileSync(settingsFile(machine), 'utf8'))).toEqual({
			$schema: 'x',
			later: 1,
			notify: 'desktop',
			keys: { expand: ['ctrl+e'] },
		});
		expect(readConsoleSettings(machine).settings).toEqual(next);
	});

	it('a damaged file is not written over', async () => {
		given('{"theme":');
		await expect(saveConsoleSettings(defaultSettings, machine)).rejects.toThrow('damaged');
		expect(readFileSync(settingsFile(machine), 'utf8')).toBe('{"theme":');
		chmodSync(settingsFile(machine), 0o600);
	});
});

describe('key bindings', () => {
	it('every default is a key, and no two are the same', () => {
		const all = actionNames.flatMap((action) => [...actions[action].keys]);
		expect(all.map((key) => keyName(key))).toEqual(all);
		expect(new Set(all).size).toBe(all.length);
		expect(bindings().notes).toEqual([]);
	});

	it('keys are written in several ways and shown in one; what types something is none', () => {
		const ways = ['Ctrl-O', 'c-o', 'ctrl+o', ' CTRL+O '];
		expect(ways.map((way) => keyName(way))).toEqual(ways.map(() => 'ctrl+o'));
		expect(keyName('shift+alt+Up')).toBe('alt+shift+up');
		expect(keyName('esc')).toBe('escape');
		expect(keyName('ctrl+-')).toBe('ctrl+-');
		for (const none of ['o', 'shift+o', 'hyper+o', '', 'ctrl+', 'f13', 'ctrl+foo'])
			expect(keyName(none), none).toBeUndefined();
		expect(['ctrl+o', 'escape', 'alt+up', 'shift+tab', 'f5', 'ctrl+-'].map(keyLabel)).toEqual([
			'Ctrl-O',
			'Esc',
			'Alt-↑',
			'Shift-Tab',
			'F5',
			'Ctrl--',
		]);
	});

	it('the user’s binding takes a key from its default, and conflicts are told', () => {
		const own = bindings({ expand: ['ctrl+t', 'ctrl+e'], editor: ['ctrl+e', 'x'] });
		expect(own.of('ctrl+t')).toBe('expand');
		expect(own.of('ctrl+o')).toBeUndefined();
		expect(own.keysOf('expand')).toEqual(['ctrl+t', 'ctrl+e']);
		expect(own.notes).toEqual([
			'Ctrl-E is to show all of the last output: it cannot also write the prompt in your editor',
			'keys.editor: x is no key that can be bound',
			'No key is left to show or hide the task list: Ctrl-T is to show all of the last output',
		]);
		expect(bindings({ tasks: [] }).of('ctrl+t')).toBeUndefined();
		expect(bindings({ tasks: [] }).notes).toEqual([]);
	});

	it('the list of keys names every key of docs/console.md, as it is bound', () => {
		const page = readFileSync(new URL('../../docs/console.md', import.meta.url), 'utf8');
		const table = page.slice(page.indexOf('| key |'), page.indexOf('\n\n', page.indexOf('| key |')));
		const named = table
			.split('\n')
			.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/[^\s;,`]+/g)].map(([key]) => key));
		const listed = keyList(bindings()).flatMap(([keys]) => keys.split(/, | /));
		expect(named.filter((key) => !listed.includes(key) && !['key', '---'].includes(key))).toEqual([]);
		expect(named.length).toBeGreaterThan(20);
		expect(keyList(bindings({ expand: ['f5'] }))).toContainEqual(['F5', 'show all of the last output']);
	});

	it('Enter always sends, whatever else is bound, and what is wrong is told once', () => {
		for (const keys of [{ expand: ['enter'] }, { submit: [] }, { submit: ['ctrl+x'], newline: ['enter'] }])
			expect(bindings(keys).of('enter')).toBe('submit');
		expect(bindings({ submit: ['ctrl+x'] }).keysOf('submit')).toEqual(['enter', 'ctrl+x']);
		const path = given('{"keys":{"expand":"enter"}}');
		expect(readConsoleSettings(machine).notes).toEqual([
			`${path}: Enter is to send the prompt: it cannot also show all of the last output`,
		]);
	});

	it('Ctrl-C always leaves', () => {
		const own = bindings({ clear: ['ctrl+q'], expand: ['ctrl+c'] });
		expect(own.of('ctrl+c')).toBe('clear');
		expect(own.notes).toHaveLength(2);
	});
});

/** The 256 colours: sixteen of the terminal, a cube of 6, greys. */
function rgb(code: number): readonly number[] {
	if (code >= 232) return Array.from({ length: 3 }, () => 8 + (code - 232) * 10);
	return [36, 6, 1].map((step) => [0, 95, 135, 175, 215, 255][Math.floor((code - 16) / step) % 6] ?? 0);
}
function luminance(colour: readonly number[]): number {
	const [r = 0, g = 0, b = 0] = colour.map((part) =>
		part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

describe('themes', () => {
	it('every colour can be read: 4.5 : 1 against usual backgrounds, and 3 : 1 for lines', () => {
		for (const [theme, grounds] of [
			[
				darkTheme,
				[
					[0, 0, 0],
					[30, 30, 30],
				],
			],
			[
				lightTheme,
				[
					[255, 255, 255],
					[253, 246, 227],
				],
			],
		] as const) {
			for (const [meaning, painter] of Object.entries(theme)) {
				const code = typeof painter === 'function' ? /38;5;(\d+)m/.exec(rendered(painter('x')))?.[1] : undefined;
				if (code === undefined) continue;
				for (const ground of grounds)
					expect(
						contrast(luminance(rgb(Number(code))), luminance(ground)),
						`${theme.name} ${meaning} ${code}`,
					).toBeGreaterThan(meaning === 'rule' ? 3 : 4.5);
			}
		}
	});

	it('painting changes no width, and a painted part within does not end the colour of the rest', () => {
		for (const theme of [darkTheme, lightTheme, terminalTheme, plainTheme]) {
			const row = theme.dim(`a ${theme.bold('b')} c`);
			expect(textWidth(row)).toBe(5);
			if (theme !== plainTheme) expect(rendered(row).endsWith('m c\u001b[0m')).toBe(true);
		}
		expect(rendered(terminalTheme.dim(`a ${terminalTheme.bold('b')} c`))).toBe(
			'\u001b[2ma \u001b[1mb\u001b[0m\u001b[2m c\u001b[0m',
		);
	});

	it('a foreign colour within painted text is shown as text', () => {
		expect(rendered(darkTheme.good('\u001b[31mx'))).toContain('\\x1b[31mx');
	});

	it('no colours are wanted, or few are known: the theme gives way', () => {
		expect(chosenTheme('dark', { colours: false })).toBe(plainTheme);
		expect(chosenTheme('dark', { colours: true, many: false })).toBe(terminalTheme);
		expect(chosenTheme('light', { colours: true, many: true })).toBe(lightTheme);
	});
});
