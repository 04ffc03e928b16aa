/** Where our own data lives, by platform. */
import { expect, test } from 'vitest';
import type { Machine } from '../../codecs/index.ts';
import { dataFolder } from './data-folder.ts';

const machine = (platform: Machine['platform'], home: string, env: Machine['env'] = {}): Machine => ({
	platform,
	home,
	env,
});

test('our own data lies in the data folder of the platform, or where the user wants it', () => {
	expect(dataFolder(machine('linux', '/home/dev'))).toBe('/home/dev/.local/share/reprise');
	expect(dataFolder(machine('linux', '/home/dev', { XDG_DATA_HOME: '/data' }))).toBe('/data/reprise');
	expect(dataFolder(machine('darwin', '/Users/dev'))).toBe('/Users/dev/Library/Application Support/reprise');
	expect(dataFolder(machine('win32', 'C:\\Users\\dev'))).toBe('C:\\Users\\dev\\AppData\\Local\\reprise');
	expect(dataFolder(machine('win32', 'C:\\Users\\dev', { LOCALAPPDATA: 'D:\\local' }))).toBe('D:\\local\\reprise');
	for (const platform of ['linux', 'darwin', 'win32'] as const) {
		expect(dataFolder(machine(platform, '/home/dev', { REPRISE_HOME: '/own' }))).toBe('/own');
	}
});
