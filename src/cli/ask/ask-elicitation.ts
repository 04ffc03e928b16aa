/** What an MCP server asks its user, in plain lines on a terminal: the wording, and what y, n and Ctrl-D answer. The console's dialog is console/screens/elicitation.ts. */
import {
	type Elicit,
	type ElicitAnswer,
	type Elicitation,
	type ElicitValue,
	type FormField,
	fieldQuestion,
	fieldsOf,
	fieldValue,
} from '../../mcp/elicitation.ts';
import { oneLine } from '../../terminal/print.ts';
import { complain } from '../../terminal/prose.ts';
import { fitting, framed, questionWidth } from '../../terminal/question-frame.ts';
import { paint, tellPart } from '../../terminal/writer.ts';
import { askLine, oneQuestion } from './ask.ts';

/** Ctrl-D, or a call that is over, answers nothing. */
const cancelled: ElicitAnswer = { action: 'cancel' };

export const elicitOnTerminal: Elicit = async (asked, signal) =>
	await oneQuestion(async () => (signal.aborted ? cancelled : await answer(asked, signal)));

async function answer(asked: Elicitation, signal: AbortSignal): Promise<ElicitAnswer> {
	// Every line is marked as the server's: none of them can pass for a question of ours.
	const server = fitting(oneLine(asked.server), questionWidth() - 'The MCP server  asks:'.length);
	const head = paint('bold', `${server === undefined ? 'An MCP server' : `The MCP server ${server}`} asks:`);
	tellPart(`${[head, ...framed(asked.message)].join('\n')}\n`);
	return asked.mode === 'url' ? await visit(asked.url, signal) : await fillIn(fieldsOf(asked.schema), signal);
}

/** The address is shown whole and opened by nobody but the user: it may be anybody's. */
async function visit(url: string, signal: AbortSignal): Promise<ElicitAnswer> {
	// An address of plain signs cannot look like words of ours, and one that is broken up could not be copied.
	tellPart(/^[!-~]*$/.test(url) ? `  ${url}\n` : `${framed(url).join('\n')}\n`);
	const typed = await askLine('Visit it in your browser? y yes, n no: ', signal);
	if (typed === undefined) return cancelled;
	return { action: /^y(es)?$/i.test(typed) ? 'accept' : 'decline' };
}

async function fillIn(fields: readonly FormField[], signal: AbortSignal): Promise<ElicitAnswer> {
	const typed = await askLine('Answer it? y yes, n no: ', signal);
	if (typed === undefined) return cancelled;
	if (!/^y(es)?$/i.test(typed)) return { action: 'decline' };
	const content: { [field: string]: ElicitValue } = {};
	for (const field of fields) {
		const value = await ask(field, signal);
		if (value === cancelled) return cancelled;
		if (value !== undefined) content[field.name] = value as ElicitValue;
	}
	return { action: 'accept', content };
}

async function ask(field: FormField, signal: AbortSignal): Promise<ElicitValue | undefined | typeof cancelled> {
	for (;;) {
		tellPart(`${fieldLines(field).join('\n')}\n`);
		const typed = await askLine(`${fieldQuestion(field)}: `, signal);
		if (typed === undefined) return cancelled;
		const read = fieldValue(field, typed);
		if ('value' in read) return read.value;
		complain(oneLine(read.problem));
	}
}

/** What the server says about a field. */
function fieldLines({ title, about, choices, usual }: FormField): readonly string[] {
	return [
		...framed(`${oneLine(title)}${about === undefined ? '' : `, ${oneLine(about)}`}`),
		...choices.flatMap((choice, index) => framed(oneLine(choice.title), undefined, String(index + 1))),
		...(usual === undefined ? [] : framed(oneLine(String(usual)), undefined, 'Enter means')),
	];
}
