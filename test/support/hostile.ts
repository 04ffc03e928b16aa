/** Sessions in which every field that is printed holds what a terminal would obey. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sampleId } from '../../scripts/samples.ts';
import { codecs } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';
import type { Scratch } from './scratch.ts';
import { sampleOf } from './sessions.ts';

/** Writes the clipboard, clears the screen, hides, colours by the eight-bit code, goes back, turns and isolates. */
export const poison =
	'\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[8m\u009b31m\u009d0;t\u009c\u0085\r\b\u007f\u202e\u2066\u200f\u061c';

/** Everything of that and its kind, which must not be in any output. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
export const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The fields by what the samples say there. A name in the poison tells which one came through. */
export const fields: { readonly [field: string]: string } = {
	title: 'Why does the parser test fail?',
	prompt: 'The test of parse() fails on empty input.',
	thinking: 'I should read the function',
	text: 'I will read the parser',
	'tool input': 'npm test',
	'tool output': 'export function parse',
	'tool error': 'vitest: not found',
	'tool name': '"Read',
	model: 'claude-sonnet-4-5',
	branch: '"main',
	version: '"2.1.325',
	folder: '/home/dev/notes',
	'call id': 'toolu_sample_1',
	'response id': 'msg_sample_1',
};

export type Where = 'fields' | 'id' | 'file name';

/** A poisoned copy of a format's sample where its client keeps sessions. Returns its path. */
export function poisonedSession({ machine }: Scratch, format: FormatId, where: Where): string {
	const codec = codecs.find(({ id }) => id === format);
	if (!codec) throw new Error(`no codec ${format}`);
	const id = sampleId(format);
	const plain = codec.places.place(
		machine,
		{ id, cwd: '/home/dev/notes', created: '2026-03-02T09:00:00.000Z' },
		{ list: () => [], head: () => new Uint8Array() },
	);
	const path = where === 'file name' ? plain.replaceAll(id, `${id}${poison}`) : plain;
	mkdirSync(dirname(path), { recursive: true });
	const changed = (text: string): string => poisoned(text, where, id);
	writeFileSync(path, changed(readFileSync(sampleOf[format], 'utf8')));
	if (format === 'cline') {
		const manifest = join(dirname(sampleOf.cline), 'cline.json');
		writeFileSync(path.replace(/\.messages\.json$/, '.json'), changed(readFileSync(manifest, 'utf8')));
	}
	return path;
}

function poisoned(text: string, where: Where, id: string): string {
	const evil = (name: string): string => JSON.stringify(`${name}${poison}`).slice(1, -1);
	if (where === 'id') return text.replaceAll(id, `${id}${evil('<id>')}`);
	if (where === 'file name') return text;
	return Object.entries(fields).reduce(
		(all, [field, value]) => all.replaceAll(value, value + evil(`<${field}>`)),
		text,
	);
}
