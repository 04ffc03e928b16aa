/** What an MCP server asks its user, on a terminal: a form field by field, or an address to visit. */
import {
	type Elicit,
	type ElicitAnswer,
	type Elicitation,
	type ElicitValue,
	type FormField,
	fieldsOf,
	fieldValue,
} from '../mcp/elicitation.ts';
import { askLine } from './ask.ts';
import { oneLine } from './print.ts';
import { complain } from './prose.ts';
import { paint, tellPart } from './writer.ts';

/** Ctrl-D, or a call that is over, answers nothing. */
const cancelled: ElicitAnswer = { action: 'cancel' };

let before: Promise<unknown> = Promise.resolve();

/** One question at a time. */
export const elicitOnTerminal: Elicit = async (asked, signal) => {
	const answered = before.then(() => (signal.aborted ? cancelled : answer(asked, signal)));
	before = answered.catch(() => undefined);
	return await answered;
};

async function answer(asked: Elicitation, signal: AbortSignal): Promise<ElicitAnswer> {
	// Every line is marked as the server's: none of them can pass for a question of ours.
	const message = asked.message.split('\n').map((line) => `  │ ${line}\n`);
	tellPart(`${paint('bold', `The MCP server ${oneLine(asked.server)} asks:`)}\n${message.join('')}`);
	return asked.mode === 'url' ? await visit(asked.url, signal) : await fillIn(fieldsOf(asked.schema), signal);
}

/** The address is shown whole and opened by nobody but the user: it may be anybody's. */
async function visit(url: string, signal: AbortSignal): Promise<ElicitAnswer> {
	tellPart(`  ${oneLine(url)}\n`);
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
		const typed = await askLine(questionOf(field), signal);
		if (typed === undefined) return cancelled;
		const read = fieldValue(field, typed);
		if ('value' in read) return read.value;
		complain(oneLine(read.problem));
	}
}

function questionOf({ title, about, type, choices, required, usual }: FormField): string {
	const listed = choices.map((choice, index) => `\n  ${index + 1} ${oneLine(choice.title)}`).join('');
	const how = type === 'yes-no' ? ' (yes or no)' : type === 'choices' ? ' (several, with commas between)' : '';
	const empty = usual !== undefined ? ` [${oneLine(String(usual))}]` : required ? '' : ' (Enter leaves it out)';
	return `${oneLine(title)}${about === undefined ? '' : `, ${oneLine(about)}`}${how}${empty}${listed === '' ? '' : `:${listed}\n`}: `;
}
