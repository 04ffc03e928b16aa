/** `reprise agents SESSION`: sub-agents listed, read, or gone on with; which one the beginning of an id means, and the prompt and kind where none is given. */
import { countText } from '../../export/count-text.ts';
import { compact } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { openHandle } from '../../store/handle/handle.ts';
import { rootOf } from '../../store/handle/subagents.ts';
import { listSubagents, type SubagentSummary } from '../../store/reader/subagent-list.ts';
import { clip, oneLine, paint, print, printJson, printProse, table } from '../../terminal/print.ts';
import { terminalWidth } from '../../terminal/width.ts';
import { choice, count, listed, permissionModes } from '../choices.ts';
import type { CommandOptions } from '../client/client-flags.ts';
import type { Define } from '../commands.ts';
import type { ExitCode } from '../main.ts';
import { sessionHelp } from '../session-argument.ts';
import { type ShowOptions, showSession } from './show.ts';

interface Options extends Omit<CommandOptions, 'resume'>, Pick<ShowOptions, 'md' | 'full' | 'pager'> {
	/** The sub-agent that goes on. */
	readonly resume?: string;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.argument('[words...]', 'the id of a sub-agent to read, or the beginning of one; with --resume: what it is told')
		.option('--json', 'print one JSON document')
		.option('--md', 'read it as Markdown')
		.option('--full', 'read it with nothing shortened')
		.option('--no-pager', 'do not use a pager')
		.option('--resume <agent>', 'go on with this one where it was cut off')
		.optionsGroup('With --resume:')
		.option('--model <provider/name>', 'the model to ask; default: the one that answered it last')
		.option('--script <file>', 'play this script instead of asking a model')
		.option('--permission-mode <mode>', permissionModes.join(', '), choice(...permissionModes))
		.option('--allowedTools <rules...>', 'allowed without asking', listed)
		.option('--max-turns <n>', 'at most this many requests to the model', count)
		.option('--verbose', 'report on stderr what happens')
		.option('--trust', 'let what this folder brings count in this run')
		.addHelpText(
			'after',
			'\nWhen the session continues, it learns what such a sub-agent has reported meanwhile.\n\n' +
				'Examples:\n  reprise agents last\n  reprise agents last a410877\n  reprise agents last --resume a410877 "go on"',
		)
		.action(async (session: string, words: readonly string[], options: Options) => {
			const path = sessionPath(session);
			const agents = listSubagents(path);
			if (options.resume !== undefined) {
				outcome.code = await goOn(path, agentNamed(options.resume, agents), words.join(' '), options);
			} else if (words.length > 0) {
				const { md, full, json, pager } = options;
				await showSession(agentNamed(words.join(' '), agents).path, { pager, ...compact({ md, full, json }) });
			} else if (options.json) printJson({ session: path, agents: agents.map(jsonOf) });
			else if (agents.length === 0) printProse(`${path} has no sub-agents.`);
			else print(describe(agents));
		});
};

function agentNamed(given: string, agents: readonly SubagentSummary[]): SubagentSummary {
	const exact = agents.find(({ id }) => id === given);
	const [only, ...others] = agents.filter(({ id }) => given !== '' && id.startsWith(given));
	if (exact) return exact;
	if (only && others.length === 0) return only;
	const known = (only ? [only, ...others] : agents).map(({ id }) => id).join(', ');
	if (only) throw new InputError('ambiguous', `${given} is the beginning of more than one sub-agent: ${known}`);
	throw new InputError('missing', `the session has no sub-agent ${given}; it has ${known || 'none'}`);
}

const usualPrompt = 'You were interrupted. Go on with your task where you were, and report as you were told.';
const usualType = 'general-purpose';

async function goOn(path: string, agent: SubagentSummary, words: string, options: Options): Promise<ExitCode> {
	const { runClient } = await import('../client/start-client.ts');
	const handle = await openHandle(path);
	const root = rootOf(handle);
	await handle[Symbol.asyncDispose]();
	const subagent = { id: agent.id, type: agent.type ?? usualType, depth: agent.depth, root };
	const { json, ...rest } = options;
	const format = json ? ({ outputFormat: 'json' } as const) : {};
	return await runClient(words || usualPrompt, { ...rest, ...format, resume: agent.path, subagent });
}

function jsonOf({ usage: _, ...agent }: SubagentSummary): object {
	const { type = null, description = null, call = null, startedAt = null, updatedAt = null, ...rest } = agent;
	return { ...rest, type, description, call, startedAt, updatedAt };
}

function describe(agents: readonly SubagentSummary[]): string {
	const head = ['id', 'type', 'state', 'tokens', 'age', 'description'].map((name) => paint('dim', name));
	const rows = agents.map((agent) => [
		...[agent.id, oneLine(agent.type ?? ''), agent.state, countText(agent.tokens), ageOf(agent.startedAt)],
		clip(oneLine(agent.description ?? agent.prompt), Math.max(20, terminalWidth() - 70)),
	]);
	return table([head, ...rows]);
}

const units = [
	['d', 86_400],
	['h', 3600],
	['m', 60],
] as const;

/** How long ago it began, in its largest unit. */
function ageOf(time: string | undefined): string {
	const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time ?? '')) / 1000));
	if (Number.isNaN(seconds)) return '';
	const [unit, length] = units.find(([, one]) => seconds >= one) ?? ['s', 1];
	return `${Math.floor(seconds / length)}${unit}`;
}
