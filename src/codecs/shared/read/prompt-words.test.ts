/** Prompts and what only looks like one. */
import { expect, it } from 'vitest';
import { isTold } from './prompt-words.ts';

const says = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text' as const, text }));
const reminder = '<system-reminder>\na hook heard it\n</system-reminder>';

it.each([
	[reminder],
	[`${reminder}\n${reminder}\n`],
	['<task-notification>\n<task-id>b1</task-id>\n</task-notification>'],
	['Stop hook feedback:\n[./check]: look once more'],
	['[Your previous response had no visible output. Please continue and produce a user-visible response.]'],
])('%j is said by a client in the user’s place', (text) => {
	expect(isTold(says(text))).toBe(true);
});

it.each([
	[`${reminder}\nand do it`],
	['do it'],
	[''],
	['<system-reminder>that nobody ends'],
	['What does Stop hook feedback: mean?'],
])('%j is the user’s own', (text) => {
	expect(isTold(says(text))).toBe(false);
});

it('a message is the user’s own where any block of it is', () => {
	expect(isTold(says(reminder, 'do it'))).toBe(false);
	expect(isTold([...says(reminder), { type: 'image', mime: 'image/png', data: { base64: '' } }])).toBe(false);
	expect(isTold([])).toBe(false);
});
