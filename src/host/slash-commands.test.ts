/** Slash commands: which file a prompt stands for, and what is filled in. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratchMachine } from '../../test/support/scratch.ts';
import { expandCommand, slashCommands } from './slash-commands.ts';

let scratch: Scratch;
beforeEach(() => {
	scratch = scratchMachine();
});
afterEach(() => scratch[Symbol.dispose]());

function expanded(prompt: string): string | undefined {
	return expandCommand(prompt, slashCommands(join(scratch.root, 'project'), join(scratch.home, '.claude')));
}

function command(path: string, text: string): void {
	const file = join(scratch.root, path);
	mkdirSync(join(file, '..'), { recursive: true });
	writeFileSync(file, text);
}

it('the project’s command comes before the user’s, and both are found', () => {
	command('project/.claude/commands/a.md', 'of the project');
	command('home/.claude/commands/a.md', 'of the user');
	command('home/.claude/commands/b.md', 'only of the user');
	expect([expanded('/a'), expanded('/b')]).toEqual(['of the project', 'only of the user']);
});

it('words go where the text wants them, and to its end where it does not say', () => {
	command('project/.claude/commands/x.md', '---\nmodel: y\n---\nFirst $1, all: $ARGUMENTS.');
	command('project/.claude/commands/y.md', 'No places.');
	expect(expanded('/x one two')).toBe('First one, all: one two.');
	expect(expanded('/x')).toBe('First , all: .');
	expect(expanded('/y one')).toBe('No places.\n\nARGUMENTS: one');
});

it('folders are named before a colon, and need not be', () => {
	command('project/.claude/commands/web/lint.md', 'Lint.');
	expect([expanded('/web:lint'), expanded('/lint')]).toEqual(['Lint.', 'Lint.']);
});

it('what calls no command is left alone', () => {
	command('project/.claude/commands/a.md', 'x');
	expect([expanded('/etc/hosts is odd'), expanded('say /a'), expanded('/')]).toEqual([undefined, undefined, undefined]);
});
