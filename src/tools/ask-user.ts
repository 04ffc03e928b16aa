/** AskUserQuestion: the user chooses between what the model proposes. Whoever is asked about the call answers it. */
import { z } from 'zod';
import { said } from '../agent/calls/outputs.ts';
import { defineTool } from './define.ts';

const option = () =>
	z.strictObject({
		label: z.string().describe('A few words to choose by'),
		description: z.string().describe('What it means to choose this'),
		preview: z.string().optional(),
	});

const question = () =>
	z.strictObject({
		question: z.string().describe('The whole question'),
		header: z.string().describe('A word or two above it'),
		options: z.array(option()).min(2).max(4),
		multiSelect: z.boolean().default(false).describe('More than one may be chosen'),
	});

const input = () =>
	z.strictObject({
		questions: z.array(question()).min(1).max(4),
		answers: z.record(z.string(), z.string()).optional().describe('What the user has answered; left to the user'),
		annotations: z.record(z.string(), z.unknown()).optional(),
		metadata: z.strictObject({ source: z.string().optional() }).optional(),
	});

/** The tool AskUserQuestion: lets the user choose. */
export const askUserQuestion = defineTool({
	name: 'AskUserQuestion',
	description:
		'Asks the user to choose, where the work depends on it and the answer cannot be found out. The user may also answer in own words.',
	effect: 'read',
	asks: true,
	input,
	subjects: () => [],
	async run({ questions, answers = {} }, { userAllowed }) {
		// An answer that nobody has given would be the model's own.
		const given = userAllowed ? Object.entries(answers).filter(([, answer]) => answer.trim() !== '') : [];
		const details = { questions, answers: Object.fromEntries(given) };
		if (given.length === 0) return said('The user did not answer the questions.', details);
		const told = given.map(([asked, answer]) => `"${asked}"="${answer}"`).join(', ');
		return said(
			`User has answered your questions: ${told}. You can now continue with the user's answers in mind.`,
			details,
		);
	},
});
