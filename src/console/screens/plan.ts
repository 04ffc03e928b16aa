/** The dialog for a plan of the model: its choices and their wording, and that Esc stops the turn. */
import type { Verdict } from '../../agent/contracts.ts';
import { isObject, type Json, stringAt } from '../../model/index.ts';
import { framedMarkdown } from '../../terminal/framed-markdown.ts';
import { ChoiceDialog } from './choice-dialog.ts';
import type { Screen } from './screen.ts';

const goOn: Verdict & { readonly allow: false } = { allow: false, reason: 'the user wants to go on planning' };

/** The dialog for a call of ExitPlanMode, whose answer the loop takes as it is. */
export function planScreen(input: Json): Screen<Verdict> {
	const plan = (isObject(input) ? stringAt(input, 'plan') : undefined) ?? '(The model has shown no plan.)';
	return new ChoiceDialog<Verdict>({
		title: 'The plan is made',
		body: (width) => framedMarkdown(plan, width),
		question: 'Carry it out?',
		items: [
			{ key: '1', label: 'Yes, and ask before each change', value: { answer: { allow: true } } },
			{ key: '2', label: 'Yes, and accept edits', value: { answer: { allow: true, mode: 'acceptEdits' } } },
			{ key: '3', label: 'No, go on planning', value: { ask: 'What should change? The model is told.', told } },
		],
		safe: { ...goOn, interrupt: true },
		leave: 'to stop',
	});
}

function told(words: string): Verdict {
	return words === '' ? goOn : { allow: false, reason: `the user wants to go on planning: ${words}` };
}
