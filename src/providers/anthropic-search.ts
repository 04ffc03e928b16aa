/** Searching the web by Anthropic's own server: how many searches one request may make, how long its reply may be, and how what was found is read. */
import type Anthropic from '@anthropic-ai/sdk';
import type { SearchWeb, WebSearchPart } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject, numberAt, objectAt, stringAt } from '../model/index.ts';
import { failureOf } from './failures.ts';
import { searchPrompt, searchReply, searchSystem } from './search.ts';
import type { Service } from './service.ts';

const mostSearches = 8;
const longestReply = 4096;

export function anthropicSearch(service: Service, client: () => Promise<Anthropic>): SearchWeb {
	return async ({ query, allowedDomains, blockedDomains, model }, signal) => {
		const tool = {
			...{ type: 'web_search_20250305', name: 'web_search', max_uses: mostSearches },
			...(allowedDomains ? { allowed_domains: allowedDomains } : {}),
			...(blockedDomains ? { blocked_domains: blockedDomains } : {}),
		};
		const body = {
			...{ model, max_tokens: longestReply, tools: [tool] },
			system: searchSystem,
			messages: [{ role: 'user', content: searchPrompt(query) }],
		};
		try {
			const answer = await (await client()).post<JsonObject>('/v1/messages', { body, signal });
			return { parts: partsOf(answer.content), reply: searchReply(service, model, usageOf(answer)) };
		} catch (error) {
			return { problem: failureOf(error, service, model, false).message };
		}
	};
}

/** What it says and what it found, in the order of both. */
function partsOf(content: Json | undefined): readonly WebSearchPart[] {
	const blocks = Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
	let query = '';
	return blocks.flatMap((block): readonly WebSearchPart[] => {
		const input = objectAt(block, 'input');
		if (block.type === 'server_tool_use' && input) query = stringAt(input, 'query') ?? query;
		if (block.type === 'text') return [{ is: 'text', text: stringAt(block, 'text') ?? '' }];
		if (block.type !== 'web_search_tool_result') return [];
		if (!Array.isArray(block.content)) {
			const error = isObject(block.content) ? stringAt(block.content, 'error_code') : undefined;
			return [{ is: 'text', text: `Web search error: ${error ?? 'unknown'}` }];
		}
		const links = (block.content as readonly Json[]).filter(isObject).flatMap((one) => {
			const url = stringAt(one, 'url');
			return url === undefined ? [] : [{ title: stringAt(one, 'title') ?? url, url }];
		});
		return [{ is: 'links', query, links }];
	});
}

function usageOf(answer: JsonObject): Parameters<typeof searchReply>[2] {
	const usage = objectAt(answer, 'usage') ?? {};
	return {
		input: numberAt(usage, 'input_tokens') ?? 0,
		output: numberAt(usage, 'output_tokens') ?? 0,
		cacheRead: numberAt(usage, 'cache_read_input_tokens') ?? 0,
		cacheWrite: numberAt(usage, 'cache_creation_input_tokens') ?? 0,
	};
}
