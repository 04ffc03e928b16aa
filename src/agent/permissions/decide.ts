/** The one place where it is decided whether a call may run: deny before ask before allow, then the mode. */
import { isObject, type Json } from '../../model/index.ts';
import { decideShell } from './bash.ts';
import { fitsText } from './command-rules.ts';
import { FileAccess, type Target } from './file-access.ts';
import { allow, ask, deny, guard } from './judgement.ts';
import { atHome } from './path-names.ts';
import { type Rule, type RuleKind, readRule } from './rule.ts';
import type { AskedCall, Circumstances, Judgement } from './situation.ts';
import { kindOf, properName } from './tool-names.ts';
import { decideFetch } from './web.ts';

/** Whether a call may run, has to be asked about or is denied, and by which rule. */
export async function decide(call: AskedCall, circumstances: Circumstances): Promise<Judgement> {
	const judged = await judge(call, circumstances);
	if (judged.decision !== 'ask' || circumstances.mode !== 'dontAsk') return judged;
	return { ...judged, decision: 'deny', reason: `${judged.reason}, and in this mode nobody is asked` };
}

/** The question about a protected file that the call would write, whatever allows the call; undefined where there is none. */
export async function guarded(call: AskedCall, circumstances: Circumstances): Promise<Judgement | undefined> {
	const name = properName(call.tool);
	const kind = kindOf(name);
	const read = kind === 'shell' || kind === 'write' ? readRule(name, 'allow') : undefined;
	if (circumstances.mode === 'bypassPermissions' || !read || !('rule' in read)) return undefined;
	const rules = { allow: [read.rule], ask: [], deny: [] };
	const judged = await judge(call, { ...circumstances, mode: 'default', rules });
	return judged.protects ? judged : undefined;
}

async function judge({ tool, input }: AskedCall, circumstances: Circumstances): Promise<Judgement> {
	const name = properName(tool);
	const fields = isObject(input) ? input : {};
	switch (kindOf(name)) {
		case 'shell': {
			const access = await FileAccess.of(circumstances);
			return await decideShell(typeof fields.command === 'string' ? fields.command : '', circumstances, access);
		}
		case 'read':
			return (await FileDecision.of(name, circumstances)).about(fields.file_path, 'read');
		case 'search':
			return (await FileDecision.of(name, circumstances)).read(searched(name, fields));
		case 'write':
			return (await FileDecision.of(name, circumstances)).about(fields.file_path ?? fields.notebook_path, 'write');
		case 'fetch':
			return decideFetch(fields.url, circumstances);
		case 'skill':
			return decideNamed(name, fields.skill, circumstances, (skill) => circumstances.skillGrants?.(skill) !== true);
		case 'agent':
			return decideNamed(name, fields.subagent_type, circumstances, () => true);
		default:
			return decideWhole(name, circumstances, serverAsked(name, fields.server));
	}
}

/** The folder that is searched; a pattern for names may lead out of it, one for text may not. */
function searched(tool: string, fields: { readonly [key: string]: Json | undefined }): readonly (Json | undefined)[] {
	const path = typeof fields.path === 'string' ? fields.path : '.';
	const pattern = typeof fields.pattern === 'string' && tool !== 'Grep' ? fields.pattern : '';
	const fixed = /^[^*?[{]*/.exec(pattern)?.[0] ?? '';
	const start = fixed.slice(0, fixed.lastIndexOf('/') + 1);
	if (start.startsWith('/') || start.startsWith('~')) return [path, start];
	return start.includes('..') ? [path, `${path}/${start}`] : [path];
}

/** Rules for the tool as a whole. */
function bare(kind: RuleKind, tool: string, { rules }: Circumstances): Rule | undefined {
	return rules[kind].find((rule) => rule.content === undefined && fitsName(rule.tool, tool));
}

function fitsName(wanted: string, tool: string): boolean {
	if (wanted === tool) return true;
	if (!wanted.startsWith('mcp__')) return false;
	if (!wanted.includes('*')) return tool.startsWith(`${wanted}__`);
	return fitsText({ parts: wanted.split(/\*+/), open: false }, tool);
}

/** Tools that a rule denies as a whole are not offered to a model at all. */
export function isRemoved(tool: string, rules: Circumstances['rules']): boolean {
	const name = properName(tool);
	return rules.deny.some(
		(rule) =>
			rule.content === undefined && (fitsName(rule.tool, name) || (rule.tool === 'Edit' && kindOf(name) === 'write')),
	);
}

/** True where a rule names this call, at any depth of a command; where that cannot be known, it is taken to. */
export async function namesCall(rule: Rule, call: AskedCall, circumstances: Circumstances): Promise<boolean> {
	if (!fitsName(rule.tool, properName(call.tool))) return false;
	const rules = { allow: [], ask: [], deny: [rule] };
	const { decision } = await decide(call, {
		...circumstances,
		mode: 'bypassPermissions',
		askedServers: [],
		rules,
	});
	return decision !== 'allow';
}

/** Resources are a server's own as its tools are: rules for all of a server are about them, too. Written as rules write its name. */
function serverAsked(tool: string, server: Json | undefined): string | undefined {
	if (typeof server !== 'string' || !/^(List|Read)McpResources?Tool$/.test(tool)) return undefined;
	const part = server
		.replaceAll(/[^\w-]/g, '_')
		.replaceAll(/__+/g, '_')
		.replaceAll(/^_|_$/g, '');
	return `mcp__${part}__`;
}

function decideWhole(tool: string, circumstances: Circumstances, server?: string): Judgement {
	const { askedServers = [] } = circumstances;
	const isAsked = askedServers.some((one) => fitsName(one, tool) || (server !== undefined && fitsName(one, server)));
	const mode = isAsked && circumstances.mode === 'bypassPermissions' ? 'default' : circumstances.mode;
	const ruleOf = (kind: RuleKind): Rule | undefined =>
		bare(kind, tool, circumstances) ?? (server === undefined ? undefined : bare(kind, server, circumstances));
	const denied = ruleOf('deny');
	if (denied) return deny('a rule denies this tool', denied);
	const asked = ruleOf('ask');
	if (asked) return ask('a rule asks about this tool', asked);
	if (mode === 'bypassPermissions') return allow('the mode allows everything that no rule names');
	if (kindOf(tool) === 'open') return allow('this tool touches nothing');
	const allowed = ruleOf('allow');
	if (allowed && !(mode === 'plan' && kindOf(tool) === 'mcp')) return allow('a rule allows this tool', allowed);
	return ask(allowed ? 'in plan mode servers are asked about' : 'no rule allows this tool');
}

/** Skills and agents: allowed unless a rule names them. */
function decideNamed(
	tool: string,
	given: unknown,
	circumstances: Circumstances,
	isFree: (name: string) => boolean,
): Judgement {
	const name = typeof given === 'string' ? given.replace(/^\//, '') : '';
	const { rules, mode } = circumstances;
	const named = (kind: RuleKind): Rule | undefined =>
		rules[kind].find((rule) => rule.tool === tool && (rule.content === undefined || fitsPrefix(rule.content, name)));
	const denied = named('deny');
	if (denied) return deny(`a rule denies ${name || tool}`, denied);
	const asked = named('ask');
	if (asked) return ask(`a rule asks about ${name || tool}`, asked);
	if (mode === 'bypassPermissions') return allow('the mode allows everything that no rule names');
	const allowed = named('allow');
	if (allowed) return allow(`a rule allows ${name || tool}`, allowed);
	return isFree(name) ? allow(`${tool} needs no permission of its own`) : ask(`${name} brings permissions of its own`);
}

function fitsPrefix(content: string, name: string): boolean {
	return content.endsWith(':*') ? name.startsWith(content.slice(0, -2)) : content === name;
}

class FileDecision {
	readonly #tool: string;
	readonly #given: Circumstances;
	readonly #access: FileAccess;

	private constructor(tool: string, given: Circumstances, access: FileAccess) {
		this.#tool = tool;
		this.#given = given;
		this.#access = access;
	}

	static async of(tool: string, given: Circumstances): Promise<FileDecision> {
		return new FileDecision(tool, given, await FileAccess.of(given));
	}

	/** One file, with where its name leads to at this moment. */
	about(path: unknown, how: 'read' | 'write'): Judgement {
		const [target] = this.#targets(path);
		const judged = how === 'read' ? this.#read(target ? [target] : []) : this.#write(target);
		const [name, real = name] = target?.names ?? [];
		return name === undefined || real === undefined ? judged : { ...judged, opens: { path: name, real } };
	}

	#targets(path: unknown): readonly Target[] {
		return typeof path === 'string' && path !== '' ? [this.#access.target(atHome(path, this.#given.home))] : [];
	}

	read(paths: readonly unknown[]): Judgement {
		return this.#read(paths.flatMap((path) => this.#targets(path)));
	}

	#read(targets: readonly Target[]): Judgement {
		const stopped = this.#stopped(targets, ['Read', this.#tool]);
		if (stopped) return stopped;
		if (targets.length === 0) return ask('it names no file');
		const whole = bare('allow', this.#tool, this.#given);
		if (whole) return allow('a rule allows this tool', whole);
		const tools = ['Read', 'Edit'];
		const opened = targets.map((target) => this.#access.opened(tools, target, true));
		const closed = targets[opened.indexOf(undefined)];
		if (closed) return ask(`${closed.given} is outside the session's folders`);
		const by = opened.find((one) => one?.rule)?.rule;
		return allow(by ? 'a rule allows this file' : 'it is in the session’s folders', by);
	}

	#write(target: Target | undefined): Judgement {
		const targets = target ? [target] : [];
		const stopped = this.#stopped(targets, ['Edit', this.#tool]) ?? this.#unreadable(targets);
		if (stopped) return stopped;
		if (!target) return ask('it names no file');
		const { mode } = this.#given;
		if (mode === 'plan') return ask('in plan mode no file is changed');
		if (this.#access.isProtected(target)) return guard(target.given);
		const whole = bare('allow', this.#tool, this.#given);
		if (whole) return allow('a rule allows this tool', whole);
		const opened = this.#access.opened(['Edit', this.#tool], target, mode === 'acceptEdits');
		if (!opened) return ask(`nothing allows changing ${target.given}`);
		const { rule } = opened;
		return allow(rule ? 'a rule allows changing this file' : 'the mode accepts changes in the session’s folders', rule);
	}

	/** What denies and asks comes before everything else, and the mode that asks for nothing comes next. */
	#stopped(targets: readonly Target[], tools: readonly string[]): Judgement | undefined {
		const writes = tools.includes('Edit');
		const whole = (kind: RuleKind): Rule | undefined =>
			bare(kind, this.#tool, this.#given) ?? bare(kind, writes ? 'Edit' : 'Read', this.#given);
		const file = (kind: 'ask' | 'deny'): Rule | undefined =>
			targets.map((target) => this.#access.rule(kind, tools, target)).find((rule) => rule !== undefined);
		const denied = whole('deny') ?? file('deny');
		if (denied)
			return deny(denied.content === undefined ? 'a rule denies this tool' : 'a rule denies this file', denied);
		const asked = whole('ask') ?? file('ask');
		if (asked)
			return (
				this.#unreadable(writes ? targets : []) ??
				ask(asked.content === undefined ? 'a rule asks about this tool' : 'a rule asks about this file', asked)
			);
		if (this.#given.mode !== 'bypassPermissions') return undefined;
		return this.#unreadable(writes ? targets : []) ?? allow('the mode allows everything that no rule names');
	}

	/** What may not be read is not written either: a change would show it. */
	#unreadable(targets: readonly Target[]): Judgement | undefined {
		const rule =
			targets.length === 0
				? undefined
				: (bare('deny', 'Read', this.#given) ??
					targets.map((one) => this.#access.rule('deny', ['Read'], one)).find((one) => one !== undefined));
		return rule && deny('a rule denies reading this file, so that it is not written either', rule);
	}
}
