/** The grammar of permission rules such as `Bash(npm test:*)` or `Edit(src/**)`: read exactly, never guessed at; and the wording of what is wrong with one. */
import { isKnownTool, isMcp, kindOf, properName, spelledLike } from './tool-names.ts';

export type RuleKind = 'allow' | 'ask' | 'deny';

export interface Rule {
	/** As it was written. */
	readonly text: string;
	/** The tool's proper name, or the pattern of an MCP tool. */
	readonly tool: string;
	/** What the rule is limited to; absent: every call of the tool. */
	readonly content?: string;
	/** What a pattern that begins with one slash starts from; the project's folder where it is left out. */
	readonly anchor?: string;
	/** What a relative pattern starts from, where that is a folder above the project's: the one that holds the settings. */
	readonly from?: string;
	/** The file or flag that says so, for whoever wonders why something is allowed or asked. */
	readonly where?: string;
}

export type Rules = { readonly [K in RuleKind]: readonly Rule[] };

export const noRules: Rules = { allow: [], ask: [], deny: [] };

export type ReadRule = { readonly rule: Rule } | { readonly problem: string };

/** One rule, or why it is none. An allow rule has to be beyond doubt; a rule that denies or asks may say more than the client takes. */
export function readRule(text: string, as: RuleKind, anchor?: string): ReadRule {
	const parts = /^([^\s()]+)(?:\((.*)\))?$/s.exec(text);
	const name = parts?.[1];
	if (name === undefined) return { problem: shapeProblem(text) };
	const wrong = nameProblem(name);
	if (wrong !== undefined) return { problem: wrong };
	const written = parts?.[2];
	// Tools of a server are offered without the dots of its name, which its user may well write.
	const tool = isMcp(name) ? name.replaceAll('.', '_') : properName(name);
	const base = { text, tool, ...(anchor === undefined ? {} : { anchor }) };
	if (written === undefined) return { rule: base };
	const problem = balanceProblem(written) ?? contentProblem(tool, written, as);
	if (problem !== undefined) return { problem };
	if (tool === 'Bash' && /^\*+$/.test(written)) return { rule: base };
	return { rule: { ...base, content: written } };
}

/**
 * The tool that a text means which is no rule, whatever its brackets hold. Undefined where it names one that nobody has: there is nothing to
 * keep. `*` where it names none at all.
 */
export function toolMeant(text: string): string | undefined {
	const name = /^[^\s()]*/.exec(text.trim())?.[0] ?? '';
	if (isMcp(name)) return name;
	const known = isKnownTool(name) ? name : spelledLike(name);
	if (known !== undefined) return properName(known);
	return /^\w+$/.test(name) ? undefined : '*';
}

function shapeProblem(text: string): string {
	if (text.trim() === '') return 'it is empty';
	if (text.trim() !== text || /\s\(/.test(text)) return 'there is a blank before or behind a part of it';
	if (text.includes('(') && !text.endsWith(')')) return 'a bracket is not closed';
	return 'a rule is a tool, or a tool with something in brackets: Edit, Bash(npm test:*)';
}

function nameProblem(name: string): string | undefined {
	if (isMcp(name)) {
		const found = /^mcp__([\w.-]+?)(?:__[\w.*-]+)?$/.exec(name);
		return found ? undefined : 'an MCP rule names its server: mcp__server, mcp__server__tool, mcp__server__*';
	}
	if (isKnownTool(name)) return undefined;
	const meant = spelledLike(name);
	return meant === undefined ? `there is no tool ${name}` : `there is no tool ${name}; write ${meant}`;
}

function balanceProblem(content: string): string | undefined {
	let open = 0;
	for (const sign of content.replaceAll(/\\./gs, '').matchAll(/[()]/g)) {
		open += sign[0] === '(' ? 1 : -1;
		if (open < 0) return 'a bracket is closed that was not opened';
	}
	return open === 0 ? undefined : 'a bracket is not closed';
}

function contentProblem(tool: string, content: string, as: RuleKind): string | undefined {
	if (content === '') return `the brackets are empty; ${tool} alone means every call`;
	if (content.trim() !== content) return 'there is a blank at the beginning or end of what is in the brackets';
	switch (kindOf(tool)) {
		case 'shell':
			return content === ':*' ? 'there is no command before :*' : undefined;
		case 'read':
		case 'search':
		case 'write':
			return pathProblem(tool, content, as);
		case 'fetch':
			return /^domain:[^\s/:]+$/.test(content) ? undefined : 'write WebFetch(domain:example.com)';
		case 'skill':
		case 'agent':
			return undefined;
		default:
			return `a rule for ${tool} takes nothing in brackets`;
	}
}

function pathProblem(tool: string, pattern: string, as: RuleKind): string | undefined {
	if (pattern.startsWith('!')) return 'a pattern cannot be negated';
	// A line break would begin a second pattern.
	if (/[\p{Cc}\u2028\u2029]/u.test(pattern)) return 'there is a control character in the pattern';
	if (as !== 'allow') return undefined;
	if (tool !== 'Edit' && tool !== 'Read' && !(tool === 'Write' && pattern === '*')) {
		const instead = kindOf(tool) === 'write' ? 'Edit' : 'Read';
		return `paths are allowed for all tools of a kind at once: write ${instead}(${pattern})`;
	}
	if (tool === 'Edit' && pattern === '*') return 'write Edit(**) for the whole project';
	if (/(^|\/)\.\.(\/|$)/.test(pattern)) return 'a pattern cannot leave its folder with ..; write //absolute/path';
	return undefined;
}

/** A list as the command line takes it: separated by commas or blanks, but not inside brackets. */
export function splitRules(text: string): readonly string[] {
	const found: string[] = [];
	let rule = '';
	let open = 0;
	for (const [sign] of text.matchAll(/\\.|./gs)) {
		if (sign === '(') open++;
		else if (sign === ')') open--;
		if (open <= 0 && /^[\s,]$/.test(sign)) {
			if (rule !== '') found.push(rule);
			rule = '';
		} else rule += sign;
	}
	if (rule !== '') found.push(rule);
	return found;
}
