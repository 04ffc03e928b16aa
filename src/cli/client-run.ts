/** One start of the client: session, model and tools put together, prompts answered one after the other. */
import { resolve } from 'node:path';
import type { AgentConfig, Prompt, RunResult } from '../agent/config.ts';
import type { Ask, PermissionMode } from '../agent/contracts.ts';
import { parseRule, type Rule, rulePolicy, splitRules } from '../agent/permissions.ts';
import { type Run, startRun } from '../agent/run.ts';
import { systemPrompt } from '../agent/system-prompt.ts';
import { nodeHost } from '../host/node-host.ts';
import { gitBranchOf, projectInstructions } from '../host/project.ts';
import { InputError } from '../store/errors.ts';
import { builtinTools } from '../tools/index.ts';
import { askYesNo, canAsk } from './ask.ts';
import type { ClientOptions } from './client.ts';
import { chooseModel } from './client-model.ts';
import { type Output, outputFor } from './client-output.ts';
import { promptsOf } from './client-prompts.ts';
import { type ClientSession, openClientSession } from './client-session.ts';
import type { ExitCode } from './main.ts';
import { oneLine } from './print.ts';

export async function runClient(words: string, options: ClientOptions): Promise<ExitCode> {
	const cwd = process.cwd();
	const prompts = promptsOf(words, options);
	await using session = await openClientSession(options, cwd);
	const model = await chooseModel(options, session.resumed);
	const output = outputFor(options);
	for (const note of session.notes) output.note(note);
	const config = await configOf(options, session, model, output);
	output.begin({
		sessionId: session.handle.session.id,
		cwd: config.cwd,
		model: model.name,
		tools: config.tools.map(({ name }) => name),
		permissionMode: config.mode,
		apiKeySource: model.keySource ?? 'none',
	});
	let code: ExitCode = 0;
	for await (const prompt of prompts) {
		const result = await answer(prompt, session, config, output);
		code = exitCodeOf(result);
		if (code !== 0) break;
	}
	output.end();
	return code;
}

async function configOf(
	options: ClientOptions,
	session: ClientSession,
	model: Awaited<ReturnType<typeof chooseModel>>,
	output: Output,
): Promise<AgentConfig> {
	const { cwd } = session;
	const dirs = (options.addDir ?? []).map((folder) => resolve(folder));
	const branch = gitBranchOf(cwd);
	const host = nodeHost();
	const allowed = rulesOf(options.allowedTools);
	const tools = options.tools ? builtinTools.filter(({ name }) => options.tools?.includes(name)) : builtinTools;
	const price = await model.price();
	return {
		provider: model.provider,
		model: model.name,
		...(options.thinking === undefined ? {} : { thinking: options.thinking }),
		system: systemPrompt(
			{
				cwd,
				dirs,
				platform: process.platform,
				today: new Date(host.now()).toISOString().slice(0, 10),
				...(branch === undefined ? {} : { gitBranch: branch }),
				instructions: projectInstructions(cwd),
			},
			{
				...(options.systemPrompt === undefined ? {} : { replace: options.systemPrompt }),
				...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
			},
		),
		tools,
		cwd,
		dirs,
		mode: modeOf(options, session),
		policies: [rulePolicy(allowed, rulesOf(options.disallowedTools))],
		...(canAsk() && options.outputFormat !== 'stream-json' ? { ask: askOnTerminal } : {}),
		host,
		limits: {
			...(options.maxTurns === undefined ? {} : { turns: options.maxTurns }),
			...(options.maxBudgetUsd === undefined ? {} : { costUsd: options.maxBudgetUsd }),
		},
		...(price === undefined ? {} : { price }),
		observe: (event) => output.observe(event),
	};
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'];

/** What the flag says, else what the session had; a session never brings a mode that asks for nothing at all. */
function modeOf(options: ClientOptions, { resumed }: ClientSession): PermissionMode {
	if (options.dangerouslySkipPermissions) return 'bypassPermissions';
	if (options.permissionMode) return options.permissionMode;
	const recorded = modes.find((mode) => mode === resumed?.settings.permissionMode);
	return recorded === undefined || recorded === 'bypassPermissions' ? 'default' : recorded;
}

function rulesOf(given: readonly string[] = []): readonly Rule[] {
	return given.flatMap(splitRules).map((text) => {
		const rule = parseRule(text);
		if (!rule)
			throw new InputError('bad-rule', `${text} is no rule for tools; one looks like Edit or Bash(npm test:*)`);
		return rule;
	});
}

const askOnTerminal: Ask = async (call) => {
	const what = oneLine(call.subjects.join(' ')).slice(0, 200);
	const allow = await askYesNo(`Allow ${call.tool.name} ${what}?`);
	return allow ? { allow } : { allow, reason: 'the user said no' };
};

/** Ctrl-C ends the run, not the session: what happened until then is written. */
async function answer(prompt: Prompt, session: ClientSession, config: AgentConfig, output: Output): Promise<RunResult> {
	const run: Run = startRun(session.handle, session.conversation, prompt, config, {
		onEvent: (event) => output.event(event),
	});
	const stop = (): void => run.interrupt();
	process.on('SIGINT', stop);
	process.on('SIGTERM', stop);
	try {
		const result = await run.result;
		output.result(result, session.handle.session.id);
		return result;
	} finally {
		process.off('SIGINT', stop);
		process.off('SIGTERM', stop);
	}
}

function exitCodeOf({ outcome, failure }: RunResult): ExitCode {
	if (outcome === 'success') return 0;
	if (outcome === 'interrupted') return 130;
	return failure ? 3 : 1;
}
