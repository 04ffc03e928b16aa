/** What each API accepts in a conversation: the longest ids and names, types of images, signed thinking. Limits of how often one may ask are in `rate-limits.ts`. */
import { namedGeneration, type Target } from '../wires/index.ts';

export interface ApiLimits {
	readonly longestId: number;
	/** True where a call's id may be followed by a bar and the id of an item. */
	readonly itemIds: boolean;
	readonly longestName: number;
	readonly imageTypes: ReadonlySet<string>;
	/** Which results have their images in a user's message behind them. */
	readonly imagesApart: 'never' | 'of errors' | 'always';
	/** True where a reply is one string, so that its texts need a separator. */
	readonly oneText: boolean;
	/** What thinking must be signed with to be kept. */
	readonly signature: 'any' | 'some' | 'reasoning item';
	/** True for Google, where an empty text with a signature signs what came before it. */
	readonly emptySigned: boolean;
	/** True where thinking at the end of a reply is refused. */
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
	// Before Gemini 3 a result has no place for images, and a message with them would separate two results.
	return api === 'google-generative-ai' && geminiGeneration(model) < 3 ? { ...limits, imagesApart: 'always' } : limits;
}

/** A model's generation; models of other families on Google's API count as new. */
export function geminiGeneration(model: string): number {
	return namedGeneration(model) ?? 3;
}
