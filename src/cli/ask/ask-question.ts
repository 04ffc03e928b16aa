/** Questions of the model and the approval of its plan, asked in plain lines on a terminal: the answers, their wording, and what an empty one means. */
import type { PendingCall, Verdict } from '../../agent/contracts.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../../model/index.ts';
import { complain } from '../../terminal/prose.ts';
import { framed } from '../../terminal/question-frame.ts';
import { paint, tellPart } from '../../terminal/writer.ts';
import { askLine, chosenFrom, numbered } from './ask.ts';

const unanswered: Verdict = { allow: false, reason: 'the user did not answer' };

/** Undefined: it is no question to the user, but one whether something may run. */
export async function askUser(call: PendingCall, signal: AbortSignal): Promise<Verdict | undefined> {
	if (call.tool.name === 'AskUserQuestion') return await answers(call.input, signal);
	return call.tool.name === 'ExitPlanMode' ? await approval(call.input, signal) : undefined;
}

async function answers(input: Json, signal: AbortSignal): Promise<Verdict> {
	const questions = isObject(input) && Array.isArray(input.questions) ? (input.questions as readonly Json[]) : [];
	const given: { [question: string]: Json } = {};
	for (const question of questions.filter(isObject)) {
		const answer = await answerTo(question, signal);
		if (answer === undefined) return unanswered;
		given[stringAt(question, 'question') ?? ''] = answer;
	}
	return { allow: true, input: { ...(isObject(input) ? input : {}), answers: given } };
}

async function answerTo(question: JsonObject, signal: AbortSignal): Promise<string | undefined> {
	const options = (Array.isArray(question.options) ? (question.options as readonly Json[]) : []).filter(isObject);
	const labels = options.map((option) => stringAt(option, 'label') ?? '');
	const several = question.multiSelect === true;
	const lines = framed(stringAt(question, 'question') ?? '', (line) => paint('bold', line));
	for (const [index, option] of options.entries()) {
		const about = (stringAt(option, 'description') ?? '').replaceAll('\n', ' ');
		lines.push(
			...framed(`${(labels[index] ?? '').replaceAll('\n', ' ')}  ${about}`.trim(), undefined, String(index + 1)),
		);
	}
	tellPart(`The model asks:\n${lines.join('\n')}\n`);
	for (;;) {
		const typed = await askLine(`${several ? 'Numbers' : 'A number'}, or your own words: `, signal);
		if (typed === undefined || typed === '') return undefined;
		const chosen = chosenOf(typed, labels, several);
		if (chosen !== undefined) return chosen;
		complain(`${typed} is none of the numbers`);
	}
}

/** The labels of the numbers, or what was typed; undefined for a number that there is not. */
function chosenOf(typed: string, labels: readonly string[], several: boolean): string | undefined {
	if (!(several ? /^\d+([\s,]+\d+)*$/ : /^\d+$/).test(typed)) return typed;
	const chosen = typed.split(/[\s,]+/).map((number) => labels[Number(number) - 1]);
	return chosen.some((label) => label === undefined) ? undefined : chosen.join(', ');
}

const approvals = [
	{ word: 'yes', label: 'yes' },
	{ word: 'edits', label: 'yes and accept edits' },
	{ word: 'no', label: 'no' },
] as const;

async function approval(input: Json, signal: AbortSignal): Promise<Verdict> {
	const plan = isObject(input) ? stringAt(input, 'plan') : undefined;
	if (plan !== undefined) {
		const { framedMarkdown } = await import('../../terminal/framed-markdown.ts');
		tellPart(`${framedMarkdown(plan).join('\n')}\n`);
	}
	const question = `The plan is made. Carry it out? ${numbered(approvals)}, or say what to change: `;
	const answer = await askLine(question, signal);
	const chosen = chosenFrom(answer ?? '', approvals);
	if (answer === undefined || answer === '' || chosen === 'no')
		return { allow: false, reason: 'the user wants to go on planning' };
	if (chosen === 'yes') return { allow: true };
	if (chosen === 'edits') return { allow: true, mode: 'acceptEdits' };
	return { allow: false, reason: `the user wants to go on planning: ${answer}` };
}
