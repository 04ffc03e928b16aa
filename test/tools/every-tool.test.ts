/** The session that the real clients resume with every tool and record in it (scripts/prove-live.ts) has them all. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { everyTool, everyToolConfig } from '../../scripts/every-tool.ts';
import { startPrompt } from '../../src/client/commands/start-prompt.ts';
import { builtinTools } from '../../src/tools/index.ts';
import { scripted, stage } from '../support/agent.ts';
import { type Frame, framesIn } from '../support/client.ts';

interface Result {
	readonly type: string;
	readonly tool_use_id: string;
	readonly name: string;
	readonly id: string;
	readonly is_error?: boolean;
}

it('a session with every tool leaves every kind of record', async () => {
	await using ends = new AsyncDisposableStack();
	const provider = scripted([...everyTool]);
	await using staged = await stage(provider, { config: await everyToolConfig(ends) });
	const { handle, conversation, config } = staged;
	for (const [prompt, mode] of [
		['Use everything', config.mode],
		['Plan the rest', 'plan'],
	] as const)
		expect((await startPrompt(handle, conversation, prompt, { ...config, mode }, {}).result).problem).toBeUndefined();
	const lines = framesIn(readFileSync(handle.path, 'utf8'));
	const blocks = lines.flatMap(({ message }) => {
		const { content } = (message ?? {}) as { readonly content?: unknown };
		return Array.isArray(content) ? (content as readonly Result[]) : [];
	});
	const calls = blocks.filter(({ type }) => type === 'tool_use');
	const offered = builtinTools.filter(({ unlisted, name }) => unlisted !== true && name !== 'Task');
	const names = new Set(calls.map(({ name }) => name));
	expect(offered.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
	expect(names).toContain('mcp__test__wait');
	expect(names).toContain('Skill');

	const failed = blocks.filter(({ type, is_error }) => type === 'tool_result' && is_error === true);
	const failing = failed.map(({ tool_use_id }) => calls.find(({ id }) => id === tool_use_id));
	expect(failing.map((call) => (call as unknown as { readonly input: Frame })?.input.command)).toEqual([
		'mkdir denied',
		'rmdir bin',
		'touch hooked',
	]);
	const found = (pick: (line: Frame) => unknown) => new Set(lines.map(pick).filter((one) => one !== undefined));
	const progress = found(({ type, data }) => (type === 'progress' ? (data as Frame).type : undefined));
	expect(progress).toEqual(
		new Set([
			...['hook_progress', 'bash_progress', 'waiting_for_task', 'mcp_progress'],
			...['query_update', 'search_results_received'],
		]),
	);
	expect(found(({ toolDenialKind }) => toolDenialKind)).toEqual(new Set(['permission-rule', 'user-rejected']));
	const rejected = lines.flatMap(({ permissionDecision }) => (permissionDecision as Frame | undefined) ?? []);
	expect(new Set(rejected.filter(({ decision }) => decision === 'reject').map(({ source }) => source))).toEqual(
		new Set(['config', 'user_reject', 'hook']),
	);
	expect(lines.filter(({ type }) => type === 'pr-link')).toHaveLength(1);
	expect(found(({ attachment }) => (attachment as Frame | undefined)?.hookEvent)).toEqual(
		new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']),
	);
}, 60_000);
