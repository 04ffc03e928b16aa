/** Agents in the background: nobody waits for them, they can be asked for, ended and resumed, and their end is told. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { ModelRequest, Provider } from '../../src/agent/contracts.ts';
import { endConversation } from '../../src/agent/run.ts';
import { builtinAgents } from '../../src/agent/sub-agents/builtin-agents.ts';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { type Stage, scripted, stage as stageFor } from '../support/agent.ts';
import { AgentsStage, says, task, turn, use } from '../support/agents-stage.ts';
import { framesIn } from '../support/client.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

const inBackground = (prompt: string) => task(prompt, { run_in_background: true });

async function lines(): Promise<string> {
	const [newest] = await stage.sessions();
	return readFileSync(newest?.path ?? '', 'utf8');
}

it('a run goes on without it, and is told of its end before it is over', async () => {
	const { out } = await stage.play([
		turn('MAIN', inBackground('CHILD')),
		says('^CHILD', 'found it', { delayMs: 1200 }),
		{ when: { first: 'MAIN', any: '<result>found it</result>' }, text: 'Now I know.' },
		says('MAIN', 'I have other things to do.'),
	]);
	expect(out).toBe('Now I know.\n');
	const [launched] = await stage.results();
	const [agent] = await stage.agents();
	expect(launched?.text).toMatch(/^Async agent launched successfully\.\nagentId: \w+ /);
	const file = /output_file: (.*)$/.exec(launched?.text ?? '')?.[1] ?? '';
	expect(file).toMatch(new RegExp(`/${agent?.id}\\.output$`));
	expect(readFileSync(file, 'utf8')).toBe('found it\n');
	const notice = framesIn(await lines()).find((line) => JSON.stringify(line).includes('<task-notification>'));
	expect(notice).toMatchObject({ type: 'user', isMeta: true });
	expect(JSON.stringify(notice)).toContain('Agent \\"about CHILD\\" completed');
});

/** A model that looks at what it was told: only so can it name an agent by its id. */
function reading(answer: (said: string, request: ModelRequest) => ScriptTurnInput): Provider {
	const { id, api } = scripted([]);
	return {
		id,
		api,
		stream: (request, signal) => scripted([answer(JSON.stringify(request.messages), request)]).stream(request, signal),
	};
}

async function inProcess(provider: Provider): Promise<Stage> {
	const agents = { types: builtinAgents, system: ({ system }: { readonly system: string }) => system };
	const made = await stageFor(provider, { config: { agents } });
	onTestFinished(async () => {
		await endConversation(made.conversation);
		await made[Symbol.asyncDispose]();
	});
	return made;
}

const results = ({ conversation }: Stage): readonly string[] =>
	conversation.messages.flatMap((message) =>
		message.role === 'toolResult'
			? [message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')]
			: [],
	);

const agentIn = (said: string): string => /agentId: (\w+)/.exec(said)?.[1] ?? '';

it('TaskOutput shows what it does, and waits for its report', async () => {
	const made = await inProcess(
		reading((said, { agent, messages }) => {
			const made = messages.filter(({ role }) => role === 'toolResult').length;
			if (agent !== undefined) {
				return made === 0
					? { content: [use('Read', { file_path: 'a.txt' })] }
					: { text: 'it says hello', delayMs: 400 };
			}
			if (made === 0) return { content: [inBackground('CHILD')] };
			if (made === 1) return { delayMs: 200, content: [use('TaskOutput', { task_id: agentIn(said), block: false })] };
			return made === 2 ? { content: [use('TaskOutput', { task_id: agentIn(said) })] } : { text: 'done' };
		}),
	);
	await made.start('MAIN').result;
	const [, early, late] = results(made);
	expect(early).toMatch(/not_ready[\s\S]*local_agent[\s\S]*running[\s\S]*<output>\nRead a\.txt\n<\/output>/);
	expect(late).toMatch(/success[\s\S]*completed[\s\S]*<output>\nit says hello\n<\/output>/);
});

it('TaskStop ends it with all that it has started, and Task goes on with it', async () => {
	const made = await inProcess(
		reading((said, { agent, messages }) => {
			const made = messages.filter(({ role }) => role === 'toolResult').length;
			if (agent !== undefined) {
				if (said.includes('Finish it')) return { text: 'finished after all' };
				return { content: [use('Bash', { command: 'touch begun; sleep 3; touch ended' })] };
			}
			if (made === 0) return { content: [inBackground('CHILD')] };
			if (made === 1) return { delayMs: 1000, content: [use('TaskStop', { task_id: agentIn(said) })] };
			return made === 2 ? { content: [task('Finish it', { resume: agentIn(said) })] } : { text: 'done' };
		}),
	);
	await made.start('MAIN').result;
	const [, stopped, report] = results(made);
	expect(JSON.parse(stopped ?? '')).toMatchObject({ task_type: 'local_agent', command: 'about CHILD' });
	expect(report).toMatch(/^finished after all\nagentId: /);
	expect(existsSync(join(made.config.cwd, 'begun'))).toBe(true);
	expect(existsSync(join(made.config.cwd, 'ended'))).toBe(false);
	// It has been ended on purpose: nobody has to be told.
	expect(made.conversation.notices).toEqual([]);
});

it('an id that nobody has is refused', async () => {
	await stage.play([
		turn('MAIN', task('x', { resume: 'a000000' }), use('TaskStop', { task_id: 'a000000' })),
		says('MAIN', 'ok'),
	]);
	expect(await stage.results()).toMatchObject([
		{ isError: true, text: 'No transcript found for agent ID: a000000' },
		{ isError: true, text: expect.stringContaining('No task found with ID: a000000') },
	]);
});
