/** Who answers: what the flags say, who answered before, or the first that is set up. */
import { neutralUsage } from '../agent/blocks.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { Provider } from '../agent/contracts.ts';
import type { Resumed } from '../agent/resume.ts';
import { configuredModel, type FoundModel, findModel, findRecordedModel } from '../providers/registry.ts';
import { InputError } from '../store/errors.ts';
import type { ClientOptions } from './options.ts';

export interface ChosenModel {
	readonly provider: Provider;
	readonly name: string;
	/** The variable that holds the key. */
	readonly keySource?: string;
	/** What the user should know about the choice. */
	readonly notes: readonly string[];
	/** Loaded when there is something to price: the table is large. */
	price(): Promise<AgentConfig['price']>;
}

export async function chooseModel(options: ClientOptions, resumed: Resumed | undefined): Promise<ChosenModel> {
	const { env } = process;
	if (options.script !== undefined) return await named(`offline/script:${options.script}`);
	const wanted = options.model ?? env.REPRISE_MODEL;
	if (wanted !== undefined) return await named(wanted);
	const before = recorded(resumed);
	const again = before === undefined ? undefined : await findRecordedModel(before, { env });
	if (again?.ok) return chosen(again);
	const other = configuredModel(env);
	const unable =
		before === undefined || again?.ok ? [] : [`${before} answered before and is not available now: ${again?.problem}`];
	if (other === undefined) throw new InputError('no-model', [...unable, noModel].join('.\n'));
	return { ...(await named(other)), notes: unable.map((why) => `${why}. Using ${other} instead`) };
}

const noModel =
	'no model is set up: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST, or name a model with ' +
	'--model provider/name.\nWithout any key: --model offline/script:FILE plays a script, reprise replay SESSION plays a ' +
	'recorded session with real tools, and reprise demo shows both';

/** Only where it can be asked again: a session by a provider that is not set up here needs another model. */
function recorded(resumed: Resumed | undefined): string | undefined {
	if (resumed?.model === undefined) return undefined;
	return resumed.provider === undefined ? resumed.model : `${resumed.provider}/${resumed.model}`;
}

async function named(wanted: string): Promise<ChosenModel> {
	const found = await findModel(wanted, { env: process.env });
	if (!found.ok) throw new InputError('no-model', found.problem);
	return chosen(found);
}

/** A provider that the caller brings. Nobody here knows what it costs. */
export function givenModel(provider: Provider, name = provider.id): ChosenModel {
	return { provider, name, notes: [], price: async () => undefined };
}

function chosen({ provider, model, keyName }: Extract<FoundModel, { ok: true }>): ChosenModel {
	const price = provider.id === 'offline' ? async () => undefined : pricing;
	return { provider, name: model, ...(keyName === undefined ? {} : { keySource: keyName }), notes: [], price };
}

async function pricing(): Promise<AgentConfig['price']> {
	const { loadPrices } = await import('../catalog/cost/prices.ts');
	const prices = loadPrices();
	return (model, provider, usage) => {
		const neutral = neutralUsage(usage);
		const part = (of: Partial<typeof neutral>) => prices.cost({ ...nothing, ...of }, model, provider, undefined) ?? 0;
		const total = prices.cost(neutral, model, provider, undefined);
		if (total === undefined) return undefined;
		return {
			input: part({ input: neutral.input }),
			output: part({ output: neutral.output }),
			cacheRead: part({ cacheRead: neutral.cacheRead }),
			cacheWrite: part({ cacheWrite5m: neutral.cacheWrite5m }),
			total,
		};
	};
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
