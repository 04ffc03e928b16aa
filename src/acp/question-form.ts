/** Questions of the model as a form of the editor: its fields, and how answers are read from it (own words come before a choice). */
import type { ElicitAnswer } from '../mcp/elicitation.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';

export interface Asked {
	readonly text: string;
	readonly header: string;
	readonly several: boolean;
	readonly options: readonly { readonly label: string; readonly description: string }[];
}

export function asksIn(input: Json): readonly Asked[] {
	const questions = isObject(input) && Array.isArray(input.questions) ? (input.questions as readonly Json[]) : [];
	return questions.filter(isObject).map((question) => ({
		text: stringAt(question, 'question') ?? '',
		header: stringAt(question, 'header') ?? '',
		several: question.multiSelect === true,
		options: (Array.isArray(question.options) ? (question.options as readonly Json[]) : [])
			.filter(isObject)
			.map((option) => ({
				label: stringAt(option, 'label') ?? '',
				description: stringAt(option, 'description') ?? '',
			})),
	}));
}

/** For each question a choice, and a line for own words. */
export function formFor(asked: readonly Asked[]): { readonly requestedSchema: JsonObject } {
	const properties = asked.flatMap(({ text, header, several, options }, index) => {
		const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
		const about = { title: header === '' ? text : header, description: text };
		const choice = several
			? { type: 'array', items: { anyOf: choices }, ...about }
			: { type: 'string', oneOf: choices, ...about };
		const own = { type: 'string', title: `${about.title}: in your own words` };
		return [[`choice${index}`, choice] as const, [`own${index}`, own] as const];
	});
	return { requestedSchema: { type: 'object', properties: Object.fromEntries(properties) } };
}

/** Own words come before a choice. A question that was left open has no answer. */
export function answersFrom(
	asked: readonly Asked[],
	content: NonNullable<ElicitAnswer['content']>,
): { readonly [question: string]: string } {
	return Object.fromEntries(
		asked.flatMap(({ text }, index) => {
			const [own, choice] = [content[`own${index}`], content[`choice${index}`]];
			const answer = own === undefined || own === '' ? choice : own;
			const words = Array.isArray(answer) ? answer.join(', ') : String(answer ?? '');
			return words === '' ? [] : [[text, words] as const];
		}),
	);
}
