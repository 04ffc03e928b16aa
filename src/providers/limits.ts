/** What each API takes: ids, names, images. Kept as data, so that the passes over a conversation know no API by name. */
import { namedGeneration, type Target } from '../wires/index.ts';

export interface ApiLimits {
	readonly longestId: number;
	/** Calls may have the id of an item beside their own, behind a bar. */
	readonly itemIds: boolean;
	readonly longestName: number;
	readonly imageTypes: ReadonlySet<string>;
	/** Images of a result that have to follow it as a message of the user. */
	readonly imagesApart: 'never' | 'of errors' | 'always';
	/** A reply is one string, so that texts need something between them. */
	readonly oneText: boolean;
	/** What a kept thought must be signed with. */
	readonly signature: 'any' | 'some' | 'reasoning item';
	/** A text that is empty but for its signature is Google's way to sign what came before. */
	readonly emptySigned: boolean;
	/** Thinking at the end of a reply is refused. */
	readonly noLastThought: boolean;
}

const common = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const base: ApiLimits = {
	longestId: 64,
	itemIds: false,
	longestName: 64,
	imageTypes: new Set(common),
	imagesApart: 'never',
	oneText: false,
	signature: 'any',
	emptySigned: false,
	noLastThought: false,
};

const apis: { readonly [api: string]: ApiLimits } = {
	'anthropic-messages': {
		...base,
		longestName: 128,
		imagesApart: 'of errors',
		signature: 'some',
		noLastThought: true,
	},
	'openai-completions': { ...base, longestId: 40, oneText: true, signature: 'some' },
	'openai-responses': { ...base, itemIds: true, signature: 'reasoning item', noLastThought: true },
	'google-generative-ai': {
		...base,
		emptySigned: true,
		imageTypes: new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']),
	},
	ollama: { ...base, imagesApart: 'always', oneText: true },
};

export function limitsOf({ api, model }: Target): ApiLimits {
	const limits = apis[api] ?? base;
	// Before Gemini 3 a result has no place for images, and one between two results would tear them apart.
	return api === 'google-generative-ai' && geminiGeneration(model) < 3 ? { ...limits, imagesApart: 'always' } : limits;
}

/** Models of other families on Google's API count as new. */
export function geminiGeneration(model: string): number {
	return namedGeneration(model) ?? 3;
}
