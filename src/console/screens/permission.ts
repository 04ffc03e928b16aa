/** The permission dialog: its choices and their wording (once, always, no and why, edit first), how a rule is shown and edited before it holds, and what Esc means. */
import type { Verdict } from '../../agent/contracts.ts';
import { readRule } from '../../agent/permissions/rule.ts';
import { type PermissionParts, permissionLines } from '../../terminal/permission-text.ts';
import { framed } from '../../terminal/question-frame.ts';
import { plainTheme, type Theme } from '../theme.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { Input } from './input.ts';
import { List, numbered } from './list.ts';
import { shown as oneRow, titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize, type Want } from './screen.ts';

export interface PermissionQuestion {
	readonly shown: PermissionParts;
	/** The rule that would allow calls like this one; absent where no rule can. */
	readonly rule?: string;
	/** Where a rule is saved for good. */
	readonly settings: string;
	/** The change or the command can be edited before it is allowed. */
	readonly editable?: 'change' | 'command';
	/** What is shown is not what the model wanted: its user has edited it. */
	readonly edited?: boolean;
	/** `Edit`, where whoever asks knows how many questions wait: this one is `at` of `of`. */
	readonly at?: number;
	readonly of?: number;
	/** The sub-agent that asks. */
	readonly agent?: string;
}

export type PermissionAnswer =
	| { readonly is: 'once' }
	/** `keep`: until the session is left, or in the settings of the project. */
	| { readonly is: 'always'; readonly rule: string; readonly keep: 'session' | 'project' }
	| { readonly is: 'no'; readonly reason?: string }
	/** No, and the turn is over. */
	| { readonly is: 'stop' }
	| { readonly is: 'edit' };

/** The answer as the loop takes it; undefined where something has to be edited first. A rule for good is saved by whoever asked. */
export function permissionVerdict(answer: PermissionAnswer): Verdict | undefined {
	switch (answer.is) {
		case 'once':
			return { allow: true };
		case 'always':
			return { allow: true, always: answer.rule };
		case 'no':
			return {
				allow: false,
				reason: answer.reason === undefined ? 'the user said no' : `the user said no: ${answer.reason}`,
			};
		case 'stop':
			return { allow: false, reason: 'the user said no', interrupt: true };
		case 'edit':
			return undefined;
	}
}

type Step =
	| { readonly is: 'ask'; readonly list: List<Choice> }
	| { readonly is: 'why'; readonly input: Input }
	| { readonly is: 'rule'; readonly list: List<RuleChoice>; readonly rule: string }
	| EditRule;
interface EditRule {
	readonly is: 'edit-rule';
	readonly input: Input;
	readonly rule: string;
	readonly problem?: string;
	/** The edited rule, while it is not known whether it allows the call. */
	readonly judges?: string;
}
type Choice = 'once' | 'always' | 'no' | 'edit';
type RuleChoice = 'session' | 'project' | 'edit' | 'back';

export class PermissionScreen implements Screen<PermissionAnswer> {
	readonly #asked: PermissionQuestion;
	readonly #step: Step;
	readonly #scroll: number;

	constructor(asked: PermissionQuestion, step: Step = { is: 'ask', list: choicesOf(asked) }, scroll = 0) {
		this.#asked = asked;
		this.#step = step;
		this.#scroll = scroll;
	}

	/** Whether an edited rule allows the call. */
	get wants(): Want | undefined {
		const judges = this.#step.is === 'edit-rule' ? this.#step.judges : undefined;
		return judges === undefined ? undefined : { what: 'rule', of: judges };
	}

	withJudged(rule: string, allows: boolean): PermissionScreen {
		const step = this.#step;
		if (step.is !== 'edit-rule' || step.judges !== rule) return this;
		if (allows) return this.#at({ is: 'rule', list: this.#ruleChoices(), rule });
		const { judges: _, ...rest } = step;
		return this.#at({ ...rest, problem: 'This rule does not allow what is asked about.' });
	}

	press(key: Key, size: Size = usualSize): Pressed<PermissionAnswer> {
		if (key.name === 'escape') return this.#back();
		const scroll = dialogScroll(this.#parts(size, plainTheme), this.#scroll, key, size);
		if (scroll !== undefined)
			return scroll === this.#scroll ? this : new PermissionScreen(this.#asked, this.#step, scroll);
		switch (this.#step.is) {
			case 'ask':
				return this.#pressAsk(this.#step.list, key);
			case 'why':
				return this.#pressWhy(this.#step.input, key);
			case 'rule':
				return this.#pressRule(this.#step, key);
			case 'edit-rule':
				return this.#pressEditRule(this.#step, key);
		}
	}

	#back(): Pressed<PermissionAnswer> {
		const step = this.#step;
		if (step.is === 'ask') return { answer: { is: 'stop' } };
		if (step.is === 'edit-rule') return this.#at({ is: 'rule', list: this.#ruleChoices(), rule: step.rule });
		return this.#at({ is: 'ask', list: choicesOf(this.#asked) });
	}

	#pressAsk(list: List<Choice>, key: Key): Pressed<PermissionAnswer> {
		const pressed = list.press(key);
		if (pressed === undefined) return this;
		if (!('chosen' in pressed)) return this.#at({ is: 'ask', list: pressed });
		const { rule } = this.#asked;
		switch (pressed.chosen) {
			case 'no':
				return this.#at({ is: 'why', input: new Input() });
			case 'always':
				return rule === undefined ? this : this.#at({ is: 'rule', list: this.#ruleChoices(), rule });
			default:
				return { answer: { is: pressed.chosen } };
		}
	}

	#pressWhy(input: Input, key: Key): Pressed<PermissionAnswer> {
		const reason = input.text.trim();
		if (key.name === 'enter') return { answer: { is: 'no', ...(reason === '' ? {} : { reason }) } };
		const next = input.press(key);
		return next ? this.#at({ is: 'why', input: next }) : this;
	}

	#pressRule({ list, rule }: Step & { is: 'rule' }, key: Key): Pressed<PermissionAnswer> {
		const pressed = list.press(key);
		if (pressed === undefined) return this;
		if (!('chosen' in pressed)) return this.#at({ is: 'rule', list: pressed, rule });
		switch (pressed.chosen) {
			case 'back':
				return this.#back();
			case 'edit':
				return this.#at({ is: 'edit-rule', input: new Input(rule), rule });
			default:
				return { answer: { is: 'always', rule, keep: pressed.chosen } };
		}
	}

	#pressEditRule({ input, rule, judges }: EditRule, key: Key): Pressed<PermissionAnswer> {
		if (judges !== undefined) return this;
		if (key.name !== 'enter') {
			const next = input.press(key);
			return next ? this.#at({ is: 'edit-rule', input: next, rule }) : this;
		}
		const read = readRule(input.text, 'allow');
		if ('problem' in read) return this.#at({ is: 'edit-rule', input, rule, problem: `No rule: ${read.problem}` });
		return this.#at({ is: 'edit-rule', input, rule, judges: input.text });
	}

	#at(step: Step): PermissionScreen {
		return new PermissionScreen(this.#asked, step, step.is === this.#step.is ? this.#scroll : 0);
	}

	#ruleChoices(): List<RuleChoice> {
		return new List<RuleChoice>(
			[
				{ value: 'session', key: '1', label: 'Until this session is left' },
				{ value: 'project', key: '2', label: 'For good, saved in', detail: this.#asked.settings },
				{ value: 'edit', key: '3', label: 'Edit the rule' },
				{ value: 'back', key: '4', label: 'Back' },
			],
			{ wraps: true },
		);
	}

	rows(size: Size, theme: Theme): readonly string[] {
		return dialogRows(this.#parts(size, theme), this.#scroll, size, theme);
	}

	#parts({ width }: Size, theme: Theme): DialogParts {
		const { shown, at, of, agent } = this.#asked;
		const lines = permissionLines(shown, width, theme);
		const count = at !== undefined && of !== undefined && of > 1 ? `${at} of ${of}` : '';
		const who = agent === undefined ? 'Permission' : `Permission for the sub-agent ${agent}`;
		const title = titleRow(who, count, width, theme);
		const step = this.#step;
		// A rule takes the place of the call: it may be as long.
		return {
			head: [title, ...(step.is === 'rule' ? [oneRow('This rule allows it from now on:', width)] : lines.slice(0, 1))],
			body: step.is === 'rule' ? framed(step.rule, theme.bold, undefined, width) : lines.slice(1),
			...this.#asking(width, theme),
		};
	}

	#asking(width: number, theme: Theme): Pick<DialogParts, 'question' | 'list' | 'input' | 'hints'> {
		const step = this.#step;
		switch (step.is) {
			case 'ask':
				return {
					question: [this.#asked.edited ? 'Allow it as you have edited it?' : 'Allow it?'],
					list: step.list,
					hints: [`1-${step.list.items.length} or ↑↓ Enter`, 'Esc: no, and stop'],
				};
			case 'why':
				return {
					question: [oneRow('Why not? The model is told.', width)],
					input: step.input.row('❯ ', width, theme),
					hints: ['Enter alone gives no reason', 'Esc to go back'],
				};
			case 'rule':
				return { question: ['Until when?'], list: step.list, hints: ['1-4 or ↑↓ Enter', 'Esc to go back'] };
			case 'edit-rule': {
				const problem = step.problem === undefined ? [] : wrapped(step.problem, width, theme.bad);
				return {
					question: [oneRow('The rule that allows it:', width), ...problem],
					input: step.input.row('❯ ', width, theme),
					hints: ['Enter to go on with this rule', 'Esc to go back'],
				};
			}
		}
	}
}

function choicesOf({ rule, editable }: PermissionQuestion): List<Choice> {
	return new List(
		numbered<Choice>([
			{ value: 'once', label: 'Yes, once' },
			rule === undefined ? undefined : { value: 'always', label: 'Yes, always: shows the rule first' },
			{ value: 'no', label: 'No, and tell the model why' },
			editable ? { value: 'edit', label: `Edit the ${editable} first` } : undefined,
		]),
		{ wraps: true },
	);
}
