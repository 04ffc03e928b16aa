/** Runs the hooks of one point, one after the other, and records that they ran. */
import type { AgentConfig } from './config.ts';
import type { HookPoints } from './contracts.ts';
import type { Journal } from './journal.ts';

/** What they answered. A hook that throws stops nothing: that it failed is recorded. */
export async function runHooks<P extends keyof HookPoints>(
	{ hooks = [] }: AgentConfig,
	journal: Journal,
	point: P,
	input: HookPoints[P]['in'],
	signal: AbortSignal,
): Promise<readonly HookPoints[P]['out'][]> {
	const answers: HookPoints[P]['out'][] = [];
	for (const hook of hooks) {
		if (hook.on !== point) continue;
		let problem: string | undefined;
		try {
			// The point and the input fit each other, which the union of all hooks cannot say.
			const run = hook.run as (
				given: HookPoints[P]['in'],
				signal: AbortSignal,
			) => Promise<HookPoints[P]['out'] | undefined>;
			const answer = await run.call(hook, input, signal);
			if (answer) answers.push(answer);
		} catch (error) {
			problem = error instanceof Error ? error.message : String(error);
		}
		const output = problem === undefined ? {} : { output: problem };
		const name = `${point}:${hook.name}`;
		await journal.hook({ type: 'hook', event: point, name, ...output, data: { command: hook.name } });
	}
	return answers;
}
