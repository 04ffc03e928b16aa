/** AskUserQuestion, EnterPlanMode and ExitPlanMode, case by case: what the model is told and what the session keeps. */
import { describe, expect } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const question = (asked: string, more: object = {}) => ({
	...{ question: asked, header: 'Which', multiSelect: false, ...more },
	options: [
		{ label: 'A', description: 'the first' },
		{ label: 'B', description: 'the second' },
	],
});
const asks = (...questions: readonly object[]) =>
	['AskUserQuestion', { questions: questions as readonly JsonObject[] }] as const;
const answered = (answers: JsonObject, ...questions: readonly object[]) => ({ questions, answers });

/** What the program that drives the client answers: by the question. */
const answer = (input: JsonObject, tool: string): JsonObject => {
	if (tool === 'ExitPlanMode') {
		if (input.plan === 'bad') return { behavior: 'deny', message: 'think again' };
		return { behavior: 'allow', updatedInput: input };
	}
	const [first] = input.questions as readonly JsonObject[];
	const asked = String(first?.question);
	if (asked === 'None?') return { behavior: 'allow', updatedInput: input };
	if (asked === 'No?') return { behavior: 'deny', message: 'not now' };
	const answers = Object.fromEntries(
		(input.questions as readonly JsonObject[]).map((one) => [String(one.question), 'A']),
	);
	return { behavior: 'allow', updatedInput: { ...input, answers } };
};

const flags = ['--permission-mode', 'default'];

describe('where somebody answers', () => {
	toolTable(
		{
			'an answer': {
				...said(
					'User has answered your questions: "Which?"="A". You can now continue with the user\'s answers in mind.',
					answered({ 'Which?': 'A' }, question('Which?')),
				),
				call: asks(question('Which?')),
			},
			'several answers': {
				...said(
					'User has answered your questions: "One?"="A", "Two?"="A". You can now continue with the user\'s answers in mind.',
					answered({ 'One?': 'A', 'Two?': 'A' }, question('One?'), question('Two?', { multiSelect: true })),
				),
				call: asks(question('One?'), question('Two?', { multiSelect: true })),
			},
			'no answer is no answer': {
				...said('The user did not answer the questions.', answered({}, question('None?'))),
				call: asks(question('None?')),
				unlike29: 'AskUserQuestion that is allowed without an answer',
			},
			'an answer that the model gives itself is none': {
				...said('The user did not answer the questions.', answered({}, question('None?'))),
				call: ['AskUserQuestion', { questions: [question('None?')], answers: {} }],
				unlike29: 'AskUserQuestion that is allowed without an answer',
			},
			'nobody wants to answer': {
				told: /not now/,
				...{ isError: true, kept: expect.stringMatching(/^Error: .*not now/) },
				call: asks(question('No?')),
			},
			'a choice is one of two at least': {
				told: /^<tool_use_error>InputValidationError: \[\n[\s\S]*"too_small"/,
				...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
				call: asks({ ...question('Which?'), options: [{ label: 'A', description: 'alone' }] }),
			},
			'questions are needed': {
				...wrong('AskUserQuestion', 'The required parameter `questions` is missing'),
				call: ['AskUserQuestion', {}],
			},
			'no plan is approved outside of plan mode': {
				...refusal(
					'You are not in plan mode. This tool is only for leaving plan mode when a plan is made: go on with the work.',
				),
				call: ['ExitPlanMode', { plan: '1. Paint' }],
				unlike29: 'ExitPlanMode outside of plan mode',
			},
			'plan mode is entered without a question': {
				...said(
					/^Entered plan mode\. You should now focus on exploring the codebase and designing an implementation approach\.\n\n/,
					{
						message:
							'Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach.',
					},
				),
				call: ['EnterPlanMode', {}],
				unlike29: 'EnterPlanMode, what is told',
			},
			'nothing is written in it': {
				told: /requested permissions|denied/,
				...{ isError: true, kept: expect.stringMatching(/^Error: /) },
				call: ['Write', { file_path: 'made.txt', content: 'x' }],
			},
			'a plan that is not approved': {
				told: /think again/,
				...{ isError: true, kept: expect.stringMatching(/^Error: .*think again/) },
				call: ['ExitPlanMode', { plan: 'bad' }],
			},
			'a plan that is approved': {
				...said(
					'User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n## Approved Plan:\n1. Paint',
					{ plan: '1. Paint', isAgent: false },
				),
				call: ['ExitPlanMode', { plan: '1. Paint' }],
				unlike29: 'ExitPlanMode, the plan',
			},
			'plan mode is over then': {
				...refusal(
					'You are not in plan mode. This tool is only for leaving plan mode when a plan is made: go on with the work.',
				),
				call: ['ExitPlanMode', {}],
				unlike29: 'ExitPlanMode outside of plan mode',
			},
			'no plan at all is approved': {
				...said('User has approved exiting plan mode. You can now proceed.', { plan: null, isAgent: false }),
				after: [['EnterPlanMode', {}]],
				call: ['ExitPlanMode', {}],
			},
			'plan mode takes nothing': {
				...wrong('EnterPlanMode', 'An unexpected parameter `why` was provided'),
				call: ['EnterPlanMode', { why: 'x' }],
			},
		},
		{
			flags,
			answer: (input, tool) => (tool === 'Write' ? { behavior: 'deny', message: 'denied' } : answer(input, tool)),
		},
	);
});

describe('where nobody answers', () => {
	const unlike29 = 'AskUserQuestion, EnterPlanMode and ExitPlanMode without anybody to answer';
	const none = (tool: string, input: JsonObject = {}) => ({
		...refusal(`Error: No such tool available: ${tool}`),
		...{ call: [tool, input] as const, unlike29 },
	});
	toolTable({
		'there is nobody to ask': none('AskUserQuestion', { questions: [question('Which?')] }),
		'nor anybody to plan for': none('EnterPlanMode'),
		'nor to approve': none('ExitPlanMode'),
	});
});
