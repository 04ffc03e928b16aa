/** Hidden flags that the Agent SDK and other hosts send: which are taken, what they become, and what a host is told of those without effect. None of them ends a run. */
import { InvalidArgumentError, type Option } from 'commander';
import type { ThinkingLevel } from '../../agent/contracts.ts';
import { thinkingFor } from '../../client/thinking.ts';
import { compact } from '../../model/index.ts';
import { choice, count, hidden, listed } from '../choices.ts';
import type { CommandOptions } from './client-flags.ts';

/** What hosts ask for in words of their own, as the command line has it. */
interface HostFlags {
	readonly thinking?: string;
	readonly effort?: string;
	readonly maxThinkingTokens?: number;
	readonly permissionMode?: string;
	readonly permissionPrompts?: 'host' | 'none';
	readonly permissionPromptTool?: string;
	readonly managedSettings?: string;
	readonly projectConfigRoot?: string;
	readonly settings?: string | readonly string[];
}

/** The words of hosts for how hard a model thinks, beside our own. */
const thinkingWords = ['adaptive', 'enabled', 'disabled'] as const;

/** Those that nothing can be made of here, each with what a host should know that counts on it. */
const unmet: { readonly [flag: string]: string } = {
	betas: 'headers of beta features are not sent',
	taskBudget: 'no model is told of a budget of tokens',
	pluginDir: 'plugins are not loaded',
	pluginDirNoMcp: 'plugins are not loaded',
	channels: 'no channel is listened to',
	resumeDropsTurn: 'the session goes on from the entry that was named, and what is dropped is not checked',
	projectConfigRoot: 'the settings there are not read; of the project’s own, only what denies and asks counts',
};

export function hostOptions(): readonly Option[] {
	return [
		hidden('--effort <level>'),
		hidden('--max-thinking-tokens <n>').argParser(tokens),
		hidden('--thinking-display <how>'),
		hidden('--fallback-model <names>'),
		hidden('--agent <name>'),
		hidden('--json-schema <schema>'),
		hidden('--no-session-persistence'),
		hidden('--betas <names>'),
		hidden('--task-budget <tokens>').argParser(count),
		hidden('--plugin-dir <folder>').argParser(listed),
		hidden('--plugin-dir-no-mcp <folder>').argParser(listed),
		hidden('--channels <name>').argParser(listed),
		hidden('--resume-drops-turn <entry>'),
		hidden('--project-config-root <folder>'),
		hidden('--await-initialize'),
		hidden('--managed-settings <JSON>'),
		hidden('--managed-settings-in-initialize'),
		hidden('--permission-prompts <who>').argParser(choice('host', 'none')),
	];
}

/** The flags as the client knows them, and what a host should know of those that have no effect. */
export function understood(given: CommandOptions & HostFlags): {
	readonly options: CommandOptions;
	readonly notes: readonly string[];
} {
	const { thinking, effort, maxThinkingTokens, managedSettings, permissionPrompts, ...rest } = given;
	const notes = Object.entries(unmet).flatMap(([name, why]) =>
		Object.hasOwn(given, name) ? [`--${dashed(name)} has no effect: ${why}`] : [],
	);
	const auto = (given.permissionMode as string | undefined) === 'auto';
	if (auto) notes.push('--permission-mode auto: nothing here decides in a person’s place, so that the mode is default');
	if (effort !== undefined && thinkingFor({ effort }) === undefined)
		notes.push(`--effort: ${effort} is no effort, and has no effect`);
	const level = thinkingFor(compact({ thinking, effort, tokens: maxThinkingTokens }));
	const { permissionPromptTool, permissionMode: mode, ...others } = rest;
	// Managed settings are read last: what they say comes before what anybody else does.
	const settings = [given.settings ?? [], managedSettings ?? []].flat();
	const options: CommandOptions = {
		...others,
		...compact({ thinking: level, permissionMode: auto ? undefined : mode }),
		...(permissionPrompts === 'none' ? {} : compact({ permissionPromptTool })),
		...(settings.length === 0 ? {} : { settings }),
		...(given.projectConfigRoot === undefined ? {} : { settingSources: 'user', trust: false }),
	};
	return { options, notes };
}

/** Claude Code takes negative numbers, too: they say nothing. */
function tokens(given: string): number {
	const value = Number(given);
	if (given.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Use a number of tokens.');
	return value;
}

function dashed(name: string): string {
	return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function thinkingGiven(given: string): ThinkingLevel {
	return choice('off', 'minimal', 'low', 'medium', 'high', ...thinkingWords)(given) as ThinkingLevel;
}
