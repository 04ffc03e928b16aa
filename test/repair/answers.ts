/** What the real clients made of repaired sessions, as `scripts/record-repair.ts` wrote it down. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatId, JsonObject } from '../../src/model/index.ts';

export interface Answer {
	/** SHA-256 of the repaired bytes that the client was given. */
	readonly repaired: string;
	readonly accepted: boolean;
	readonly refusal?: string;
	/** What the rules of the public API found wrong with the request. */
	readonly apiRejection?: string;
	readonly messages: readonly { readonly role: string; readonly content: string | readonly JsonObject[] }[];
}

export interface Answers {
	readonly [name: string]: Answer;
}

/** The clients that were asked, by format. Clido has no program to ask: its reader's rules are in its codec. */
export const askedClients: { readonly [F in FormatId]?: readonly string[] } = {
	'claude-code': ['claude-code-2.1.29', 'claude-code-2.1.325'],
	openclaw: ['pi-0.73.1', 'pi-0.87.1'],
	cline: ['cline-core-0.0.86'],
};

export function answersOf(client: string): Answers {
	const path = join(import.meta.dirname, `${client}.json`);
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Answers) : {};
}

/** A conversation in short: `U["hi"] A["x", use#1] U[res#1:"y"]`. */
export function inShort(messages: Answer['messages']): string {
	return messages
		.map(({ role, content }) => `${role === 'assistant' ? 'A' : 'U'}[${blocksInShort(content)}]`)
		.join(' ');
}

function blocksInShort(content: string | readonly JsonObject[]): string {
	if (typeof content === 'string') return JSON.stringify(content.trim());
	return content.map(blockInShort).join(', ');
}

function blockInShort(block: JsonObject): string {
	switch (block.type) {
		case 'text':
			return JSON.stringify(String(block.text).trim());
		case 'tool_use':
			return `use#${shortId(block.id)}`;
		case 'tool_result':
			return `res#${shortId(block.tool_use_id)}${block.is_error === true ? '!' : ''}:${resultInShort(block.content)}`;
		case 'thinking':
			return `thinking:${String(block.thinking)}`;
		default:
			return String(block.type);
	}
}

function shortId(id: unknown): string {
	return String(id)
		.replace(/^(toolu|call)_/, '')
		.slice(0, 12);
}

function resultInShort(content: unknown): string {
	if (typeof content === 'string') return JSON.stringify(content);
	const texts = (Array.isArray(content) ? content : []).map(
		(part: { text?: string; type?: string }) => part.text ?? part.type,
	);
	return JSON.stringify(texts.join(' '));
}
