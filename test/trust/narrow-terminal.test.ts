/** On a terminal no line breaks in the middle of a word, however narrow it is. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { sampleOf } from '../support/sessions.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
beforeAll(() => {
	const homes = ['claude-code/generated/mixed-home-a', 'clido/1.0.15/01-doc-example', 'openclaw/pi-0.87.1/http-400'];
	for (const home of homes) cpSync(join(corpusRoot, home, 'home'), stage.home, { recursive: true });
});

const flaky = '41936071';

/** Paths and ids stay whole, so that they can be copied. */
const longestWord = 30;

/** The words that a terminal of this width would break. */
function brokenIn(text: string, columns: number): readonly string[] {
	return text.split('\n').flatMap((written) => {
		// What comes after a return is written over what was there.
		const line = written.slice(written.lastIndexOf('\r') + 1);
		const words = line.matchAll(/\S+/g).filter(({ 0: word, index }) => {
			const start = stringWidth(line.slice(0, index)) % columns;
			return start + stringWidth(word) > columns && word.length < Math.min(longestWord, columns - 4);
		});
		return Array.from(words, ([word]) => word);
	});
}

describe.runIf(hasTerminals)('no word is broken', () => {
	it.each([20, 40, 80].flatMap((columns) => commands().map((args) => [columns, args] as const)))(
		'on %i columns by %j',
		async (columns, args) => {
			await using terminal = new Terminal(stage, args, { PAGER: 'cat' }, { columns });
			await terminal.end();
			expect(terminal.text.trim()).not.toBe('');
			expect(brokenIn(terminal.text, columns)).toEqual([]);
		},
	);
});

function commands(): readonly (readonly string[])[] {
	return [
		['--help'],
		['replay', '--help'],
		['ls'],
		['ls', '--all'],
		['stats', '--all'],
		['cost', '--all', '--agent', 'claude-code', '--explain'],
		['check', '--all', '--profile', 'any'],
		['check', sampleOf.clido, '--profile', 'published'],
		['inspect', sampleOf['claude-code']],
		['show', flaky],
		['context', sampleOf.openclaw],
		['allowed', 'Bash', 'npm test && rm -rf build', '--allowedTools', 'Bash(npm test:*)'],
		['show', 'no-such-session-at-all-anywhere-on-this-machine'],
		['ls', '--no-such-option-of-any-command'],
	];
}

describe.runIf(hasTerminals)('a replay', () => {
	it.each([40, 80])('warns and reports in whole words on %i columns', async (columns) => {
		await using terminal = new Terminal(stage, ['replay', sampleOf.openclaw, '--yes'], {}, { columns });
		await terminal.end();
		const [said = ''] = terminal.text.split('--- recorded');
		expect(said.replace(/\s+/g, ' ')).toContain('they are not confined to it: they can do whatever you can.');
		expect(brokenIn(said, columns)).toEqual([]);
	});
});

describe('in a pipe', () => {
	it('what is said stays on one line, however long it is', async () => {
		const { err } = await stage.run(['show', 'x'.repeat(60), '--at', 'nowhere']);
		expect(err.trimEnd().split('\n')).toHaveLength(1);
		const { out } = await stage.run(['check', sampleOf.clido, '--profile', 'published']);
		expect(out).toContain(
			'line 1  warning  session_id: `session_id` is not 32 hex digits without hyphens; Clido writes',
		);
	});
});
