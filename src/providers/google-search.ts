/** Searching the web by Google's own server: one request in which the model searches, and what it found. */
import type { GenerateContentResponse, GoogleGenAI } from '@google/genai/web';
import type { SearchWeb, WebSearchPart } from '../agent/contracts.ts';
import { type Domains, isWantedHost } from '../model/hosts.ts';
import { failureOf } from './failures.ts';
import { foundParts, searchPrompt, searchReply, searchSystem, withSites } from './search.ts';
import type { Service } from './service.ts';

export function googleSearch(service: Service, client: (signal: AbortSignal) => Promise<GoogleGenAI>): SearchWeb {
	return async ({ query, model, ...domains }, signal) => {
		// The API has no field for hosts.
		const contents = searchPrompt(withSites({ query, ...domains }));
		const config = { systemInstruction: searchSystem, tools: [{ googleSearch: {} }], abortSignal: signal };
		try {
			const answer = await (await client(signal)).models.generateContent({ model, contents, config });
			return { parts: partsOf(answer, query, domains), reply: searchReply(service, model, usageOf(answer)) };
		} catch (error) {
			return { problem: failureOf(error, service, model, false).message };
		}
	};
}

function partsOf(answer: GenerateContentResponse, asked: string, domains: Domains): readonly WebSearchPart[] {
	const [candidate] = answer.candidates ?? [];
	const { groundingChunks = [], webSearchQueries = [] } = candidate?.groundingMetadata ?? {};
	const links = groundingChunks.flatMap(({ web: { uri, title } = {} }) => {
		if (uri === undefined || !URL.canParse(uri) || !isWantedHost(hostOf(uri, title), domains)) return [];
		return [{ title: title ?? uri, url: uri }];
	});
	const texts = (candidate?.content?.parts ?? []).flatMap(({ text, thought }) => (text && !thought ? [text] : []));
	return foundParts(webSearchQueries[0] ?? asked, links, [texts.join('')]);
}

/** The addresses lead through a server of Google's, and the title is the host that they lead to. */
function hostOf(uri: string, title = ''): string {
	return /^[\w-]+(?:\.[\w-]+)+$/.test(title) ? title : new URL(uri).hostname;
}

export function usageOf({ usageMetadata: usage = {} }: Pick<GenerateContentResponse, 'usageMetadata'>): {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
} {
	const cacheRead = usage.cachedContentTokenCount ?? 0;
	const prompt = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
	const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
	return { input: Math.max(0, prompt - cacheRead), output, cacheRead };
}
