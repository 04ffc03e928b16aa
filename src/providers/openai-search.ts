/** Searching the web by OpenAI's own server: one request in which the model searches, and what it found. */
import type OpenAI from 'openai';
import type { SearchWeb } from '../agent/contracts.ts';
import { isWantedHost } from '../model/hosts.ts';
import { isObject, type Json, type JsonObject, numberAt, objectAt, stringAt } from '../model/index.ts';
import { failureOf } from './failures.ts';
import { foundParts, searchPrompt, searchReply, searchSystem, withSites } from './search.ts';
import type { Service } from './service.ts';

export function openAiSearch(service: Service, client: () => Promise<OpenAI>): SearchWeb {
	return async ({ query, model, ...domains }, signal) => {
		const { allowedDomains, blockedDomains } = domains;
		const filters = allowedDomains ? { filters: { allowed_domains: allowedDomains } } : {};
		// There is no field for hosts that are not wanted.
		const asked = withSites({ query, ...(blockedDomains ? { blockedDomains } : {}) });
		const body = {
			...{ model, store: false, tools: [{ type: 'web_search', ...filters }] },
			...{ tool_choice: 'required', include: ['web_search_call.action.sources'] },
			...{ instructions: searchSystem, input: searchPrompt(asked) },
		};
		try {
			const answer = await (await client()).post<JsonObject>('/responses', { body, signal });
			const { query: said = query, links, texts } = foundIn(answer.output);
			const wanted = links.filter(({ url }) => URL.canParse(url) && isWantedHost(new URL(url).hostname, domains));
			return { parts: foundParts(said, wanted, texts), reply: searchReply(service, model, usageOf(answer)) };
		} catch (error) {
			return { problem: failureOf(error, service, model, false).message };
		}
	};
}

interface Found {
	readonly query?: string;
	readonly links: { readonly title: string; readonly url: string }[];
	readonly texts: string[];
}

/** The pages that it names come first: they have titles, and those that it only looked at have none. */
function foundIn(output: Json | undefined): Found {
	const items = objectsIn(output);
	const actions = items.flatMap((item): readonly JsonObject[] => {
		const action = item.type === 'web_search_call' ? objectAt(item, 'action') : undefined;
		return action ? [action] : [];
	});
	const said = items.flatMap((item) => (item.type === 'message' ? objectsIn(item.content) : []));
	const cited = said.flatMap(({ annotations }) => objectsIn(annotations)).filter(({ type }) => type === 'url_citation');
	const links = [...cited, ...actions.flatMap(({ sources }) => objectsIn(sources))].flatMap((one) => {
		const url = stringAt(one, 'url');
		return url === undefined ? [] : [{ title: stringAt(one, 'title') ?? url, url }];
	});
	const query = actions.map((action) => stringAt(action, 'query')).find((one) => one !== undefined);
	const texts = said.map((part) => stringAt(part, 'text') ?? stringAt(part, 'refusal') ?? '');
	return { links, texts, ...(query === undefined ? {} : { query }) };
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
	return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

function usageOf(answer: JsonObject): { readonly input: number; readonly output: number; readonly cacheRead: number } {
	const usage = objectAt(answer, 'usage') ?? {};
	const cacheRead = numberAt(objectAt(usage, 'input_tokens_details') ?? {}, 'cached_tokens') ?? 0;
	const input = Math.max(0, (numberAt(usage, 'input_tokens') ?? 0) - cacheRead);
	return { input, output: numberAt(usage, 'output_tokens') ?? 0, cacheRead };
}
