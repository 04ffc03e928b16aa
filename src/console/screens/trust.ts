/** The trust dialog: it names everything of a folder that would count; its wording, and that Enter means no and Esc leaves it undecided. */
import type { Waiting } from '../../host/settings/project-offers.ts';
import { framed } from '../../terminal/question-frame.ts';
import { ChoiceDialog } from './choice-dialog.ts';
import { wrapped } from './parts.ts';
import type { Screen } from './screen.ts';

/** True and false are kept; undefined leaves the folder undecided, and it is asked about again. */
export type TrustAnswer = boolean | undefined;

export function trustScreen(cwd: string, waiting: readonly Waiting[]): Screen<TrustAnswer> {
	return new ChoiceDialog<TrustAnswer>({
		title: 'Do you trust this folder?',
		body: (width, theme) => [
			...framed(cwd, theme.bold, undefined, width),
			...(waiting.length === 0 ? [] : wrapped('It brings this, which counts only if you trust it:', width)),
			...waiting.flatMap(({ what, items, shown = items }) => [
				...wrapped(what, width, theme.bold, '  '),
				...shown.flatMap((item) => framed(item, undefined, undefined, width)),
			]),
			...wrapped('What it brings can run commands as you.', width, theme.warn),
		],
		question: 'Trust it?',
		// The safe answer is selected: whoever presses Enter unseen has allowed nothing.
		items: [
			{ key: '1', label: 'No: go on, and nothing of it counts', value: { answer: false } },
			{ key: '2', label: 'Yes, I trust this folder', value: { answer: true } },
		],
		safe: undefined,
		leave: 'for no, and to be asked again',
	});
}
