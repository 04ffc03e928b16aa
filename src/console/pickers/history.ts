/** Ctrl-R: a prompt that was typed before, those of this project first. */
import { readHistory } from '../composer/history.ts';
import type { Dialogs } from '../dialogs.ts';
import { List, Pick } from '../screens/list.ts';

export async function pickPrompt(dialogs: Dialogs, cwd: string): Promise<string | undefined> {
	const items = readHistory(cwd)
		.toReversed()
		.map((text) => ({ label: text, value: text }));
	const list = new List(items, { filters: true });
	const options = {
		...{ title: 'Earlier prompts', none: 'Nothing was typed yet.', enter: 'write it into the prompt' },
		next: 'ctrl+r',
	};
	return await dialogs.open<string | undefined>(() => new Pick(options, list));
}
