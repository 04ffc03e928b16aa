/** Who answers: what the flags say, who answered before, or the first that is set up. */
import { readFileSync } from 'node:fs';
import { neutralUsage } from '../agent/blocks.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { Provider } from '../agent/contracts.ts';
import type { Resumed } from '../agent/resume.ts';
import { configuredModel, findModel } from '../providers/registry.ts';
import { InputError } from '../store/errors.ts';
import type { ClientOptions } from './client.ts';

export interface ChosenModel {
	readonly provider: Provider;
	readonly name: string;
	/** The variable that holds the key. */
	readonly keySource?: string;
	/** Loaded when there is something to price: the table is large. */
	price(): Promise<AgentConfig['price']>;
}

export async function chooseModel(options: ClientOptions, resumed: Resumed | undefined): Promise<ChosenModel> {
	const { env } = process;
	if (options.script !== undefined) return await scripted(options.script);
	const wanted = options.model ?? env.REPRISE_MODEL ?? recorded(resumed) ?? configuredModel(env);
	if (wanted === undefined) throw new InputError('no-model', noModel);
	const found = await findModel(wanted, { env });
	if (!found.ok) throw new InputError('no-model', found.problem);
	const { provider, model, keyName } = found;
	return { provider, name: model, ...(keyName === undefined ? {} : { keySource: keyName }), price: pricing };
}

const noModel =
	'no model is set up: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST and name one with ' +
	'--model provider/name. Without any: reprise replay SESSION plays a recorded session, --script FILE plays a script, ' +
	'and reprise demo shows both.';

/** Only where it can be asked again: a session by a provider that is not set up here needs another model. */
function recorded(resumed: Resumed | undefined): string | undefined {
	if (resumed?.model === undefined) return undefined;
	return resumed.provider === undefined ? resumed.model : `${resumed.provider}/${resumed.model}`;
}

async function scripted(file: string): Promise<ChosenModel> {
	const { scriptProvider } = await import('../providers/offline-script.ts');
	const made = scriptProvider(parsed(file));
	if (!made.ok) throw new InputError('bad-script', `${file}: ${made.problem}`);
	return { provider: made.provider, name: 'script', price: async () => undefined };
}

function parsed(file: string): unknown {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new InputError('bad-script', `${file} is no script: ${error instanceof Error ? error.message : ''}`);
	}
}

async function pricing(): Promise<AgentConfig['price']> {
	const { loadPrices } = await import('../catalog/cost/prices.ts');
	const prices = await loadPrices();
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
