/** The doors of the library: what they export, and that the page about them says it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDoors } from '../scripts/api-page.ts';

const root = join(import.meta.dirname, '..');
const doors = readDoors();
const all = doors.flatMap(({ name, exports }) => exports.map((one) => ({ door: name, ...one })));
const called = ({ door, name }: { readonly door: string; readonly name: string }): string => `${door}: ${name}`;

/** Types that every program in a browser has; the compiler of this project does not know them. */
function browserNames(): ReadonlySet<string> {
	const [library] = readdirSync(join(root, 'node_modules/@typescript'));
	const file = join(root, 'node_modules/@typescript', library ?? '', 'lib/lib.dom.d.ts');
	const found = readFileSync(file, 'utf8').matchAll(/^(?:interface|type|declare var) (\w+)/gm);
	return new Set(Array.from(found, ([, name = '']) => name));
}

describe('doors', () => {
	it('no exported name is one that every program has anyway', () => {
		const browser = browserNames();
		expect(browser.has('ErrorEvent')).toBe(true);
		expect(all.filter((one) => one.shadows || (one.kind === 'type' && browser.has(one.name))).map(called)).toEqual([]);
	});

	it('what only the inside uses is not exported', () => {
		const inside = ['IdTable', 'Numbers', 'Spare', 'BranchFinder', 'interleaved', 'reusedPieces', 'compact', 'plural'];
		expect(all.filter(({ name }) => inside.includes(name)).map(called)).toEqual([]);
	});

	it('no exported name is a word that the glossary avoids', () => {
		const avoided = /chunk|diagnostic|completion|corruption|provenance|sidechain|cassette/i;
		expect(all.filter(({ name }) => avoided.test(name)).map(called)).toEqual([]);
	});

	it('every function, class and value of a door says what it is for', () => {
		expect(all.filter(({ kind, about }) => kind !== 'type' && about === '').map(called)).toEqual([]);
	});

	it('what a command does, the library does', () => {
		const wanted = [
			...['contextOf', 'readTranscript', 'transcriptMarkdown', 'listSessions', 'searchSessions', 'sessionCosts'],
			...[
				'sessionStats',
				'checkFile',
				'repairFile',
				'convertFile',
				'handOff',
				'forkSession',
				'runPrompt',
				'sessionPath',
			],
		];
		const given = doors.find(({ name }) => name === 'reprise')?.exports.map(({ name }) => name) ?? [];
		expect(wanted.filter((name) => !given.includes(name))).toEqual([]);
		const tools = doors.find(({ name }) => name === 'reprise/tools')?.exports.map(({ name }) => name);
		expect(tools).toContain('defineTool');
	});

	it('no door leads into the command line', () => {
		const seen = new Set<string>();
		const visit = (file: string): void => {
			if (seen.has(file)) return;
			seen.add(file);
			for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
				if (target.endsWith('.ts')) visit(join(dirname(file), target));
		};
		for (const { source } of doors) visit(join(root, source));
		expect([...seen].filter((file) => file.includes('/src/cli/'))).toEqual([]);
	});
});
