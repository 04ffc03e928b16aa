/** Commands that an editor is not offered, because they go on in a session that it does not know of; and what somebody who types one is told to do instead. */
import type { Prompt } from '../agent/config.ts';
import { calledIn } from '../client/commands/called.ts';
import { sessionWord } from '../store/find/session-names.ts';
import type { SessionHandle } from '../store/handle/handle.ts';

const instead: ReadonlyMap<string, (session: string) => string> = new Map([
	['clear', () => 'begin a new conversation in your editor'],
	['resume', () => 'open the session from your editor’s list'],
	['fork', (session: string) => `\`reprise fork ${session}\` makes a copy, which your editor’s list has then`],
	[
		'uncompact',
		(session: string) => `\`reprise uncompact ${session}\` makes a copy, which your editor’s list has then`,
	],
]);

export function isEditorsOwn(name: string): boolean {
	return instead.has(name);
}

/** Undefined for a prompt that calls none of them. */
export function ownOfEditors(prompt: Prompt, { session: { id }, path }: SessionHandle): string | undefined {
	const name = calledIn(prompt)?.name ?? '';
	const advice = instead.get(name)?.(sessionWord({ id, path }));
	return advice && `/${name} would go on in another session, where your editor does not look: ${advice}.`;
}
