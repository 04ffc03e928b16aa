/** The folder with a session's side files. */
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { folderNamedAfter } from './side-folder.ts';

test('it is called like the file without its ending', () => {
	expect(folderNamedAfter('a.jsonl')).toBe('a');
	expect(folderNamedAfter('a.messages.json')).toBe('a');
	expect(folderNamedAfter('a.txt')).toBe('a.txt.files');
});

test('whatever the file is called, it is a folder beside the file, and never one that others share', () => {
	for (const name of ['.jsonl', '..jsonl', '...jsonl', '.messages.json', '..json']) {
		const folder = folderNamedAfter(name);
		expect(posix.dirname(posix.join('/sessions', folder))).toBe('/sessions');
		expect(posix.join('/sessions', folder)).not.toBe(posix.join('/sessions', name));
	}
});
