/** Built-in commands that show something: /help, /model, /cost, /context, /permissions, /agents, /mcp, /hooks. */
import { existsSync } from 'node:fs';
import { offeredOf, requestParts } from '../../agent/compaction/compact-when.ts';
import { costText, countedText, countText, tokensText } from '../../export/count-text.ts';
import { handlerText } from '../../host/hooks/hook-settings.ts';
import { shortLine } from '../../model/index.ts';
import { listSubagents } from '../../store/reader/subagent-list.ts';
import { agentsHere } from '../agents.ts';
import { chooseModel } from '../model.ts';
import type { Done, Station } from './builtin-command.ts';
import { builtins } from './builtins.ts';
import { heldUntil } from './lent-rules.ts';

export async function help(_: string, { commands, servers, permissions }: Station): Promise<Done> {
	const own = builtins.map(({ name, hint, summary }) => ({ name, hint, description: summary }));
	const files = commands.filter(({ forUser }) => forUser);
	const offered = (servers?.prompts ?? []).map((name) => ({ name, hint: undefined, description: 'of an MCP server' }));
	const lines = [
		...['Built in:', ...rows(own)],
		...section('Commands:', rows(files.filter(({ kind }) => kind === 'command'))),
		...section('Skills:', rows(files.filter(({ kind }) => kind === 'skill'))),
		...section('Prompts of MCP servers:', rows(offered)),
	];
	const waiting = permissions.waiting.filter(({ what }) => what === 'commands' || what === 'skills');
	const names = waiting.flatMap(({ items }) => items);
	if (names.length > 0)
		lines.push('', `The folder is not trusted, so its own do not count: ${names.join(', ')} (--trust)`);
	return { text: lines.join('\n'), kept: 'The commands were listed.' };
}

function section(heading: string, lines: readonly string[]): readonly string[] {
	return lines.length === 0 ? [] : ['', heading, ...lines];
}

interface Row {
	readonly name: string;
	readonly hint?: string | undefined;
	readonly description: string;
}

const longestDescription = 100;

function rows(list: readonly Row[]): readonly string[] {
	const called = list.map(({ name, hint }) => `/${name}${hint === undefined ? '' : ` ${hint}`}`);
	const width = Math.min(32, Math.max(0, ...called.map(({ length }) => length)));
	return list.map(({ description }, index) => {
		return `  ${(called[index] ?? '').padEnd(width)}  ${shortLine(description, longestDescription)}`.trimEnd();
	});
}

export async function model(args: string, { options, session, permissions, model: now }: Station): Promise<Done> {
	if (args === '')
		return { text: now.name === 'none' ? 'No model is set up here.' : `${now.provider.id}/${now.name} answers` };
	const { script: _, ...rest } = options;
	const next = await chooseModel({ ...rest, model: args }, session.resumed, permissions);
	return { text: `${next.provider.id}/${next.name} answers from now on`, model: next };
}

export async function cost(_: string, { session }: Station): Promise<Done> {
	const { handle } = session;
	if (handle.leaf === null && !existsSync(handle.path))
		return { text: 'Nothing was asked yet: this session has cost nothing.' };
	const { costOfSession } = await import('../../catalog/cost-of-session.ts');
	const { id, format } = handle.session;
	const { totals, rows: models } = costOfSession({ path: handle.path, id, format });
	const lines = models.map((row) => `${row.key}: ${tokensText(row)} (${costText(row.costUsd)})`);
	const replies = countedText(totals.responses, 'reply', 'replies');
	const unpriced =
		totals.unpricedTokens > 0 ? `, ${countText(totals.unpricedTokens)} tokens without a known price` : '';
	return { text: [`Total: ${costText(totals.costUsd)} for ${replies}${unpriced}`, ...lines].join('\n') };
}

export async function contextParts({ session, config }: Station): Promise<{ readonly [part: string]: number }> {
	const { system, ...rest } = requestParts(session.conversation.messages, await config());
	return { 'system prompt': system, ...rest };
}

export async function context(_: string, at: Station): Promise<Done> {
	const parts = await contextParts(at);
	const { messages } = at.session.conversation;
	const offered = offeredOf((await at.config()).tools);
	const sum = Object.values(parts).reduce((all, tokens) => all + tokens, 0);
	const lines = Object.entries(parts).map(([what, tokens]) => `  ${what.padEnd(14)} ${countText(tokens).padStart(9)}`);
	const counts = [countedText(messages.length, 'message'), countedText(offered.length, 'tool')].join(' and ');
	return { text: [`The next request holds about ${countText(sum)} tokens: ${counts}.`, ...lines].join('\n') };
}

export async function permissions(_: string, { permissions: here, mode, session }: Station): Promise<Done> {
	const { rules, dirs, trusted, waiting } = here;
	const granted = session.conversation.granted.map((rule) => `${rule.text} (${heldUntil(rule)})`);
	const lists = { deny: rules.deny, ask: rules.ask, allow: rules.allow };
	const lines = Object.entries(lists).map(([kind, list]) => {
		const texts = [...list.map(({ text }) => text), ...(kind === 'allow' ? granted : [])];
		return `${kind.padEnd(6)} ${texts.length === 0 ? 'no rule' : texts.join(', ')}`;
	});
	const folders = [session.cwd, ...dirs].join(', ');
	const waits = waiting.map(({ what, items }) => `waits for trust: ${what} (${items.join(', ')})`);
	const trust = `The folder is ${trusted ? 'trusted' : 'not trusted'}.`;
	return { text: [`mode   ${mode}`, ...lines, `works in ${folders}`, trust, ...waits].join('\n') };
}

export async function agents(_: string, { session: { handle, cwd }, permissions: here }: Station): Promise<Done> {
	const { types } = await agentsHere(cwd, here);
	const kinds = types.map(({ name, description }) => `  ${name}: ${shortLine(description, longestDescription)}`);
	const started = handle.leaf === null ? [] : listSubagents(handle.path);
	const lines = started.map(({ id, type = 'agent', state, description, prompt }) => {
		return `  ${id}  ${type}, ${state}: ${shortLine(description ?? prompt, longestDescription)}`;
	});
	return { text: ['Kinds of sub-agents:', ...kinds, ...section('Sub-agents of this session:', lines)].join('\n') };
}

export async function mcp(_: string, { servers }: Station): Promise<Done> {
	if (!servers || servers.status.length === 0) return { text: 'No MCP server is set up here.' };
	const lines = servers.status.map(({ name, status }) => {
		const tools = servers.tools.filter((tool) => tool.name.startsWith(`mcp__${name}__`)).map((tool) => tool.name);
		return `${name}: ${status}${tools.length === 0 ? '' : `, ${tools.join(', ')}`}`;
	});
	const prompts = servers.prompts.map((name) => `/${name}`);
	return { text: [...lines, ...(prompts.length === 0 ? [] : [`prompts: ${prompts.join(', ')}`])].join('\n') };
}

export async function hooks(_: string, { permissions: here }: Station): Promise<Done> {
	if (here.hooks.length === 0) return { text: 'No hook is called here.' };
	const lines = here.hooks.map(({ event, matcher, handler }) => {
		return `${event}${matcher === undefined ? '' : ` (${matcher})`}: ${handlerText(handler)}`;
	});
	return { text: lines.join('\n') };
}
