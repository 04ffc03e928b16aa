/** Laws of the screens that show what there is and what holds: models, permissions, sub-agents, servers, hooks, context, cost, help, settings. */
import { describe, expect, it } from 'vitest';
import {
	answer,
	expectFits,
	hostile,
	plainRows,
	plainText,
	pressed,
	selectedRow,
	sizes,
} from '../../../test/support/screens.ts';
import type { Totals } from '../../catalog/cost/report.ts';
import { bindings } from '../keys.ts';
import { defaultSettings } from '../settings.ts';
import { blockRows } from '../views/block.ts';
import { AgentScreen } from './agent.ts';
import { agentsScreen } from './agents.ts';
import { ConfigScreen } from './config.ts';
import { contextScreen } from './context.ts';
import { costScreen } from './cost.ts';
import { helpScreen } from './help.ts';
import { hooksScreen } from './hooks.ts';
import { mcpScreen } from './mcp.ts';
import { ModelsScreen } from './models.ts';
import { permissionsScreen } from './permissions-view.ts';
import type { Screen } from './screen.ts';
import { tasksScreen } from './tasks.ts';

const tokens = (cost: number | null): Totals => ({
	responses: 3,
	inputTokens: 2200,
	outputTokens: 810,
	cacheReadTokens: 180,
	cacheWriteTokens: 90,
	cacheWrite1hTokens: 0,
	costUsd: cost,
	unpricedTokens: 5,
});
const rule = (text: string, where?: string) => ({ text, tool: 'Bash', ...(where === undefined ? {} : { where }) });
const model = (name: string, more = {}) => ({ name, provider: 'anthropic', isDefault: false, ...more });

/** Every screen, once with usual texts and once with hostile ones. */
function screens(text: (usual: string) => string): { readonly [name: string]: Screen<unknown> } {
	const many = Array.from({ length: 30 }, (_, at) => at);
	return {
		models: new ModelsScreen(
			many.map((at) =>
				model(text(`anthropic/claude-${at}`), { window: 200_000, input: 4, output: 20, isDefault: at === 0 }),
			),
			text('anthropic/claude-7'),
		),
		permissions: permissionsScreen({
			mode: 'default',
			rules: {
				allow: many.map((at) => rule(text(`Bash(npm ${at})`), text('/p/.claude/settings.json'))),
				ask: [],
				deny: [rule(text('Read(.env)'))],
			},
			granted: [rule(text('Bash(make:*)'), text('until the next prompt'))],
			folders: [text('/p')],
			trusted: false,
			waiting: [{ what: 'hooks', items: [text('PreToolUse')] }],
		}),
		agents: agentsScreen(
			[
				{
					id: text('a1'),
					type: text('explore'),
					description: text('Looks around'),
					prompt: 'p',
					state: 'running',
					tokens: 1234,
				},
			],
			[{ name: text('general-purpose'), description: text('Does anything'), builtIn: true, model: text('haiku') }],
		),
		tasks: tasksScreen([
			{ id: text('b1'), name: text('npm test'), facts: text('command · running for 3s · b1'), isRunning: true },
		]),
		mcp: mcpScreen(
			[
				{
					name: text('files'),
					status: 'connected',
					from: text('.mcp.json'),
					tools: [{ name: text('read'), description: text('Reads') }],
				},
				{ name: text('web'), status: 'failed', problem: text('it did not start') },
			],
			[text('review')],
		),
		hooks: hooksScreen([
			{
				event: 'PreToolUse',
				matcher: text('Bash'),
				handler: { type: 'command', command: text('check.sh'), timeoutMs: 1 },
			},
		]),
		context: contextScreen({
			model: text('claude'),
			parts: { [text('system prompt')]: 1700, tools: 9000, messages: 60_000 },
			window: 200_000,
			compactAt: 0.9,
		}),
		cost: costScreen({
			totals: tokens(0.0253),
			rows: many.map(() => ({ ...tokens(0.01), key: text('claude-opus-5-5') })),
		}),
		help: helpScreen(bindings(), [
			{ name: text('help'), about: text('the commands'), kind: 'built in' },
			{ name: text('deploy'), hint: text('[target]'), about: text('deploys'), kind: 'command' },
			{ name: text('ask'), about: text('of a server'), kind: 'prompt' },
		]),
		config: new ConfigScreen(defaultSettings, text('/home/me/.local/share/reprise/console.json')),
	};
}
const usual = screens((text) => text);
const get = (name: string): Screen<unknown> => usual[name] ?? pressed(new ConfigScreen(defaultSettings, ''));

describe('every view', () => {
	for (const [kind, all] of Object.entries({ usual, hostile: screens(() => hostile) }))
		for (const [name, screen] of Object.entries(all))
			it(`${name} fits every size on every tab, with ${kind} texts, and Esc changes nothing`, () => {
				let now = screen;
				for (let tab = 0; tab < 4; tab += 1) {
					expectFits(now);
					const hasList = selectedRow(screen) !== undefined;
					for (const size of sizes) {
						const rows = plainRows(now, size).filter((row) => row.startsWith('❯'));
						expect(rows.length).toBeLessThanOrEqual(1);
						if (hasList && tab === 0) expect(rows).toHaveLength(1);
					}
					expect(answer(now, 'escape')).toBeUndefined();
					now = pressed(now, 'right');
				}
			});
});

describe('what they show', () => {
	it('models: price, window, who answers now; Enter takes the selected one, or a name that is typed and not listed', () => {
		expect(selectedRow(get('models'))).toMatch(/^✔ anthropic\/claude-7 +200k tokens · \$4\/\$20 per M tokens/);
		expect(answer(get('models'), 'down', 'enter')).toBe('anthropic/claude-8');
		expect(answer(get('models'), '=openai/own', 'enter')).toBe('openai/own');
		expect(plainText(pressed(get('models'), '=openai/own'))).toContain('Enter takes: openai/own');
		expect(plainText(new ModelsScreen([], 'none'))).toContain('ANTHROPIC_API_KEY');
	});

	it('permissions: a rule that was kept for good in this session names its file', () => {
		const rules = { allow: [], ask: [], deny: [] };
		const rule = { tool: 'Bash', text: 'Bash(ls:*)', where: '/p/.claude/settings.local.json' };
		const shown = { mode: 'default', rules, granted: [rule], folders: [], trusted: true, waiting: [] } as const;
		const text = plainText(permissionsScreen(shown));
		expect(text).toContain('/p/.claude/settings.local.json');
		expect(text).not.toMatch(/until/);
	});

	it('permissions: each rule with the file that it comes from, by kind', () => {
		expect(plainText(get('permissions'))).toMatch(/\[Allow 31\].*Ask 0.*Deny 1/);
		expect(plainText(get('permissions'))).toContain('until the next prompt');
		expect(plainText(get('permissions'))).toContain('/p/.claude/settings.json');
		expect(plainText(pressed(get('permissions'), 'right'))).toContain('No rule asks.');
		expect(plainText(pressed(get('permissions'), 'right', 'right'))).toContain('Read(.env)');
		expect(plainText(pressed(get('permissions'), 'left'))).toContain('hooks, wait for trust');
	});

	it('sub-agents can be looked into, kinds cannot', () => {
		expect(answer(get('agents'), 'enter')).toBe('a1');
		expect(answer(get('agents'), 'right', 'enter')).toBeUndefined();
		expect(plainText(get('agents'))).toContain('explore · running · 1,234 tokens');
	});

	it('what is folded in the conversation of one is unfolded by the key that its rows name, and folded again', () => {
		const output = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
		const block = { kind: 'tool', id: '1', name: 'Bash', subject: 'count', output, isError: false } as const;
		const agent = new AgentScreen({
			...{ title: 'Counts', facts: 'explore · ended', isRunning: false, canStop: false, version: '1' },
			body: (width, theme, full) => blockRows(block, width, theme, { full }),
		});
		expectFits(agent);
		expect(plainText(agent)).toContain('… +27 lines (ctrl+o)');
		const unfolded = pressed(agent, 'ctrl+o');
		expect(plainText(unfolded)).toContain('line 29');
		expect(plainText(unfolded)).not.toContain('(ctrl+o)');
		expect(plainText(pressed(unfolded, 'ctrl+o'))).toBe(plainText(agent));
	});

	it('servers: state, problem and tools', () => {
		expect(plainText(get('mcp'))).toMatch(/✔ files {2}1 tool[\s\S]*✗ web {4}failed[\s\S]*it did not start/);
		expect(plainText(pressed(get('mcp'), 'right'))).toContain('Reads');
		expect(plainText(pressed(get('mcp'), 'left'))).toContain('/review');
		expect(plainText(get('hooks'))).toMatch(/PreToolUse \(Bash\)[\s\S]*check\.sh/);
	});

	it('context: a bar with a column for each part that is there, whose length is that of the window', () => {
		for (const { width } of sizes) {
			const bar = plainRows(get('context'), { width, height: 24 }).find((row) => /^ {2}◼=/.test(row)) ?? '';
			expect(bar.trim()).toHaveLength(Math.min(width - 2, 100));
			expect(bar).toMatch(/◼=+#+\.+$/);
		}
		expect(plainText(get('context'))).toContain('about 70,700 of 200,000 tokens (35%)');
		const full = contextScreen({ model: 'm', parts: { messages: 300 }, window: 200 });
		expect(plainText(full)).toContain('/compact');
		const unknown = contextScreen({ model: 'm', parts: { messages: 0, tools: 3 } });
		expect(plainText(unknown)).toContain('not known');
		expectFits(unknown);
	});

	it('cost: the sum, each model, and what has no price', () => {
		expect(plainText(get('cost'))).toContain('$0.03 for 3 replies');
		expect(plainText(pressed(get('cost'), 'end'))).toContain('5 tokens have no known price');
		expect(plainText(costScreen({ totals: { ...tokens(null), responses: 0 }, rows: [] }))).toContain('cost nothing');
	});

	it('help: keys as they are bound, and a command is written into the prompt', () => {
		const keys = plainText(helpScreen(bindings({ expand: ['f5'] }), []));
		expect(keys).toMatch(/F5 {2,}show all of the last output/);
		// What they do stands in one column, and is not cut for its sake.
		expect(keys.match(/^(.*)clear the line, then/m)?.[1]).toHaveLength(
			keys.match(/^(.*)leave, on an empty/m)?.[1]?.length ?? 0,
		);
		expect(keys).toContain('while an answer is written: send the prompt after it');
		expect(answer(get('help'), 'right', 'enter')).toBe('/help');
		expect(plainText(pressed(get('help'), 'right'))).toContain('Enter to write it into the prompt');
		expect(plainText(get('help'))).toContain('Enter to close');
		expect(answer(get('help'), 'enter')).toBeUndefined();
		expect(plainText(pressed(get('help'), 'right', 'right'))).toContain('/deploy [target]');
	});
});

describe('the settings screen', () => {
	const config = new ConfigScreen(defaultSettings, '/f');
	it('each row is changed where it stands, and saved together', () => {
		expect(answer(config, 'right', 'ctrl+s')).toMatchObject({ theme: 'light' });
		expect(answer(config, 'left', 'ctrl+s')).toMatchObject({ theme: 'plain' });
		expect(answer(config, 'down', 'enter', 'down', 'space', 'ctrl+s')).toMatchObject({
			notify: 'desktop',
			accessible: true,
		});
		expect(answer(config, 'end', 'enter')).toEqual(defaultSettings);
		expect(pressed(config, 'right').settings.theme).toBe('light');
	});

	it('parts of the status line keep their order', () => {
		expect(answer(config, '=folder', 'enter', 'ctrl+s')?.statusLine).toEqual([...defaultSettings.statusLine, 'folder']);
		const without = pressed(config, '=line: cost', 'enter');
		expect(without.settings.statusLine).not.toContain('cost');
		expect(pressed(without, 'enter').settings.statusLine).toEqual(defaultSettings.statusLine);
	});

	it('a key is bound by pressing it, taken away, and given back; conflicts are told', () => {
		const waiting = pressed(config, '=task list', 'enter');
		expect(plainText(waiting)).toContain('Press the key');
		expectFits(waiting);
		for (const [key, label] of [
			['x', 'x'],
			['enter', 'Enter'],
			['tab', 'Tab'],
			['up', '↑'],
		] as const) {
			const refused = pressed(waiting, key);
			expect(plainText(refused)).toContain(`${label} cannot be bound: any key with Ctrl or Alt, F1 to F12.`);
			expect(refused.settings.keys).toEqual({});
			expect(pressed(refused, 'f5').settings.keys).toEqual({ tasks: ['f5'] });
		}
		const bound = pressed(waiting, 'ctrl+o');
		expect(bound.settings.keys).toEqual({ tasks: ['ctrl+o'] });
		expect(plainText(bound)).toContain('No key is left to show all of the last output');
		expect(pressed(bound, 'left').settings.keys).toEqual({});
		expect(pressed(bound, 'delete').settings.keys).toEqual({ tasks: [] });
	});

	it('Esc while a key is waited for drops nothing that was changed before', () => {
		const waiting = pressed(config, 'right', '=task list', 'enter');
		expect(plainText(waiting)).toContain('Esc to go back');
		const back = pressed(waiting, 'x', 'escape');
		expect(plainText(back)).not.toContain('Press the key');
		expect(answer(back, 'ctrl+s')).toMatchObject({ theme: 'light', keys: {} });
		expect(answer(back, 'escape')).toBeUndefined();
	});
});
