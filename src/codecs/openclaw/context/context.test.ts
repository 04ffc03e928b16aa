/**
 * Law 9 for pi and OpenClaw: what we say they send is what they sent. The answers of the clients were recorded with
 * `scripts/record-context.ts`; the recorder leaves out system messages, cache marks and the new prompt, we normalise nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../model/index.ts';
import { type Target, wires } from '../../../wires/index.ts';
import { parsedIndex } from '../../shared/read/line-index.ts';
import { contextMessages, openclaw, readyMessages } from '../index.ts';

const fixtures = join(import.meta.dirname, '../../../../test/context/openclaw');

interface Answer {
	readonly accepted: boolean;
	readonly refusal?: string;
	readonly messages?: readonly JsonObject[];
}

interface Expected {
	readonly load?: Answer & { readonly contextMessages?: readonly JsonObject[]; readonly model?: JsonObject };
	readonly resume: { readonly [api: string]: Answer };
}

const recordings = readdirSync(fixtures).flatMap((name) =>
	readdirSync(join(fixtures, name))
		.map((file) => /^expected\.(.+)\.json$/.exec(file)?.[1])
		.filter((client) => client !== undefined)
		.map((client) => ({ name, client })),
);

const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

describe('context of pi and OpenClaw', () => {
	describe.each(recordings)('$name, $client', ({ name, client }) => {
		const folder = join(fixtures, name);
		const index = parsedIndex(openclaw, readFileSync(join(folder, 'session.jsonl')));
		const expected = JSON.parse(readFileSync(join(folder, `expected.${client}.json`), 'utf8')) as Expected;
		const found = contextMessages(index, { client });

		const { load } = expected;
		if (load) {
			it('the messages it continues from are those the client loads', () => {
				if (load.accepted) expect(jsonOf(found.messages.map((one) => one.message))).toEqual(load.contextMessages);
				else expect(found.refused).toBeDefined();
				expect({ provider: found.provider, modelId: found.model }).toEqual(load.model ?? {});
			});
		}

		it.each(Object.keys(expected.resume))('%s is sent the same', (asked) => {
			const [api = '', model = 'fake-model'] = asked.split('/');
			const target: Target = { provider: 'oracle', model, api };
			const ready = readyMessages(found, target);
			const sent = wires[api as keyof typeof wires](
				ready.turns.map((turn) => turn.message),
				target,
				found.rules,
			);
			const answer = expected.resume[asked];
			const refused = found.refused ?? ready.refused ?? sent.refused;
			if (answer?.messages) expect(refused).toBeUndefined();
			if (answer?.messages) expect(jsonOf(sent.messages)).toEqual(answer.messages);
			else expect(refused).toBeDefined();
		});
	});
});
