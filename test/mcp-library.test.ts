/** The library's `runPrompt` with MCP servers: its caller answers for the user. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runPrompt } from '../src/client/run-prompt.ts';
import { projectIn, scripted } from './support/agent.ts';
import { scratchMachine } from './support/scratch.ts';

const script = join(import.meta.dirname, 'support/mcp-server.ts');
const mcpConfig = [JSON.stringify({ mcpServers: { test: { command: process.execPath, args: [script] } } })];
const before = { ...process.env };
afterEach(() => {
	process.env = { ...before };
});

describe('runPrompt', () => {
	it('starts servers, lets its caller answer them, and ends them', async () => {
		using scratch = scratchMachine();
		Object.assign(process.env, scratch.machine.env);
		const asked: unknown[] = [];
		const result = await runPrompt('go', {
			cwd: projectIn(scratch.root),
			provider: scripted([
				{ content: [{ type: 'tool_use', name: 'mcp__test__ask_form', input: {} }] },
				{ text: 'done' },
			]),
			mcpConfig,
			strictMcpConfig: true,
			allowedTools: ['mcp__test'],
			async elicit(question) {
				asked.push(question);
				return { action: 'accept', content: { name: 'Ada', age: 36 } };
			},
		});
		expect(asked).toMatchObject([{ server: 'test', mode: 'form', message: 'Who are you?' }]);
		expect(JSON.stringify(result.messages)).toContain('hello Ada, 36');
		expect(result.outcome).toBe('success');
	});

	it('a server that cannot be used is told of, and the prompt is answered', async () => {
		using scratch = scratchMachine();
		Object.assign(process.env, scratch.machine.env);
		const warnings: string[] = [];
		const { outcome } = await runPrompt('go', {
			cwd: projectIn(scratch.root),
			provider: scripted([{ text: 'done' }]),
			mcpConfig: ['{"mcpServers":{"gone":{"command":"/nowhere/server"}}}'],
			warn: (text) => warnings.push(text),
		});
		expect(outcome).toBe('success');
		expect(warnings).toEqual(['the MCP server gone cannot be used: spawn /nowhere/server ENOENT']);
	});
});
