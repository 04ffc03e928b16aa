/** EnterPlanMode: nothing is changed until there is a plan. ExitPlanMode: the user says whether it may be carried out, and which mode holds then. */
import { z } from 'zod';
import { failed, refused, said } from '../agent/calls/outputs.ts';
import { defineTool } from './define.ts';

const entered =
	'Entered plan mode. You should now focus on exploring the codebase and designing an implementation approach.';

/** The tool EnterPlanMode: plans before it changes anything. */
export const enterPlanMode = defineTool({
	name: 'EnterPlanMode',
	description:
		'Begins plan mode, for work whose way is not clear or that touches much: nothing is changed until the user has approved a plan. Not for small changes, nor for questions.',
	effect: 'read',
	attended: true,
	input: () => z.strictObject({}),
	subjects: () => [],
	async run(_, { setMode }) {
		if (!setMode) return failed('The permission mode cannot be changed here.');
		setMode('plan');
		const how =
			'Read what the work will touch and what is already there, weigh ways to do it, ask with AskUserQuestion where the user has to choose, and then show the plan with ExitPlanMode. Do not write or edit any files before it is approved.';
		return said(`${entered}\n\n${how}`, { message: entered });
	},
});

/** Clients have sent this and that along with it: what is not known is no reason to refuse. */
const input = () =>
	z.looseObject({
		plan: z.string().optional().describe('The plan, in Markdown'),
		allowedPrompts: z
			.array(z.looseObject({ tool: z.string(), prompt: z.string() }))
			.optional()
			.describe('What will be run, in words'),
	});

const notPlanning =
	'You are not in plan mode. This tool is only for leaving plan mode when a plan is made: go on with the work.';

/** The tool ExitPlanMode: asks whether a plan may be carried out. */
export const exitPlanMode = defineTool({
	name: 'ExitPlanMode',
	description:
		'Ends plan mode when the plan is made: shows it to the user, who says whether it may be carried out. Only for plans of changes, not for answers.',
	effect: 'read',
	asks: true,
	input,
	subjects: () => [],
	async check(_, { mode }) {
		return mode === 'plan' ? undefined : { fails: refused(notPlanning) };
	},
	async run({ plan }, { mode, setMode }) {
		// Whoever approved it may have chosen another mode with it.
		if (mode === 'plan') setMode?.('default');
		const text =
			plan === undefined
				? 'User has approved exiting plan mode. You can now proceed.'
				: `User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n## Approved Plan:\n${plan}`;
		return said(text, { plan: plan ?? null, isAgent: false });
	},
});
