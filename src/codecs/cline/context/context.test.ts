/** Law 9 for Cline: what we say it sends is what it sent, by `scripts/record-context.ts` and in the corpus. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import type { Context, ContextOptions } from '../../shared/context/context.ts';
import { parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline } from '../index.ts';
import { clients } from './clients.ts';

type Sent = readonly JsonObject[];

interface Recording {
	/** The prompt that the client was given after the resume. */
	readonly prompt?: string;
	readonly messages: Sent;
}

/** Every difference allowed between a recording and a context, with the reason. Nothing else is normalised. */
const normalisations: readonly { readonly why: string; readonly apply: (recording: Recording) => Sent }[] = [
	{
		why: 'the new prompt is not part of the history; what was merged with it is',
		apply: ({ prompt, messages }) =>
			messages.flatMap((message) => {
				const content = blocksOf(message).filter((block) => prompt === undefined || block.text !== prompt);
				return content.length === 0 && blocksOf(message).length > 0 ? [] : [{ ...message, content }];
			}),
	},
	{
		why: 'a cache mark tells the provider what to keep, and moves with every prompt',
		apply: ({ messages }) => messages.map((message) => ({ ...message, content: blocksOf(message).map(withoutMark) })),
	},
];

function blocksOf(message: JsonObject): Sent {
	return Array.isArray(message.content) ? message.content.filter(isObject) : [];
}

function withoutMark(block: JsonObject): JsonObject {
	const { cache_control: _, ...rest } = block;
	return rest;
}

const normalised = (recording: Recording): Sent =>
	normalisations.reduce((messages, { apply }) => apply({ ...recording, messages }), recording.messages);

const contextOf = (bytes: Uint8Array, options: ContextOptions): Context =>
	whole(cline.context.build?.(parsedIndex(cline, bytes), options));
const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

describe('files of our own', () => {
	const fixtures = join(import.meta.dirname, '../../../../test/context/cline');
	const recordings = readdirSync(fixtures).flatMap((name) =>
		readdirSync(join(fixtures, name))
			.map((file) => /^expected\.(.+)\.json$/.exec(file)?.[1])
			.filter((client) => client !== undefined)
			.map((client) => ({ name, client })),
	);

	test('both clients were asked, the command line client about some', () => {
		expect(recordings.filter(({ client }) => client === '0.0.86').length).toBeGreaterThan(50);
		expect(recordings.filter(({ client }) => client === '3.0.65').length).toBeGreaterThan(15);
	});

	test('whatever a client refuses is an error of check', () => {
		// In one the sidecar is at fault, in the other an id of a type that no client writes.
		const others = ['compaction-that-fails', 'numeric-id'];
		for (const name of readdirSync(fixtures).filter((one) => !others.includes(one))) {
			const bytes = readFileSync(join(fixtures, name, 'session.messages.json'));
			const refused = clients.some((client) => contextOf(bytes, { client }).refused !== undefined);
			const wrong = checkBytes(cline, bytes).some((issue) => issue.severity === 'error');
			if (refused) expect(wrong, name).toBe(true);
		}
	});

	test.each(recordings)('$name is sent as by $client', ({ name, client }) => {
		const folder = join(fixtures, name);
		const sidecar = join(folder, 'session.compaction.json');
		const side = existsSync(sidecar) ? { compaction: readFileSync(sidecar) } : {};
		const found = contextOf(readFileSync(join(folder, 'session.messages.json')), { client, side });
		const expected = readJson(join(folder, `expected.${client}.json`)) as { accepted: boolean; messages?: Sent };
		expect(found.client).toBe(client);
		expect(jsonOf(found.messages)).toEqual(normalised({ messages: expected.messages ?? [] }));
		// The recorder cannot tell that a session was lost which it could not read itself.
		const accepted = expected.accepted && name !== 'torn';
		expect(found.refused === undefined, found.refused).toBe(accepted);
	});
});

describe('the corpus', () => {
	const cases = corpusFiles('cline').filter((file) => existsSync(join(file.folder, 'expected.core-0.0.86.json')));

	test.each(cases.map((file) => ({ file, name: file.scenario })))('$name is sent as by 0.0.86', ({ file }) => {
		const { prompt, sent } = readJson(join(file.folder, 'expected.core-0.0.86.json')) as { prompt: string; sent: Sent };
		const found = contextOf(file.bytes(), { client: '0.0.86' });
		expect(found.refused).toBeUndefined();
		expect(jsonOf(found.messages)).toEqual(normalised({ prompt, messages: sent }));
	});

	const main = (scenario: string) => {
		const file = corpusFiles('cline').find(
			(one) => one.scenario === scenario && one.role === 'main' && !one.path.includes('snapshots'),
		);
		if (!file) throw new Error(`no ${scenario} in the corpus`);
		return file;
	};

	test('each resume of a session equals its history up to the prompt', () => {
		const file = main('multi-turn-resume');
		const { resumes } = readJson(join(file.folder, 'scenario.json')) as { resumes: { file: string; prompt: string }[] };
		const { entries } = decodeBytes(cline, file.bytes());
		expect(resumes.length).toBe(2);
		for (const { file: recorded, prompt } of resumes) {
			const asked = entries.findIndex(
				(entry) =>
					entry.kind === 'message' && entry.content.some((block) => block.type === 'text' && block.text === prompt),
			);
			const messages = readJson(join(file.folder, recorded)) as Sent;
			const found = contextOf(file.bytes(), { at: entries[asked - 1]?.id ?? '' });
			expect(found.client).toBe('3.0.65');
			expect(jsonOf(found.messages)).toEqual(normalised({ prompt, messages }));
		}
	});

	test('a sidecar that does not fit changes nothing, one that fits replaces what it stands for', () => {
		const file = main('compaction');
		const compaction = readFileSync(file.path.replace('.messages.', '.compaction.'));
		const whole = contextOf(file.bytes(), {});
		expect(contextOf(file.bytes(), { side: { compaction } })).toEqual(whole);
		// The client computed the hash before it noted the model's family.
		const early = Buffer.from(file.bytes())
			.toString('utf8')
			.replaceAll(/,\s*"family": "[^"]*"/g, '');
		const found = contextOf(Buffer.from(early), { side: { compaction } });
		expect(found.messages.length).toBeLessThan(whole.messages.length);
		expect(found.from[0]).toEqual([]);
	});

	test('the published example needs names of tools for the command line client and none for the library', () => {
		const file = main('cli-foreign-resume');
		expect(contextOf(file.bytes(), { client: '3.0.65' }).refused).toContain('name');
		expect(contextOf(file.bytes(), { client: '0.0.86' }).refused).toBeUndefined();
		expect(contextOf(main('b01-golden-plus-name').bytes(), { client: '3.0.65' }).refused).toBeUndefined();
	});

	test('every recorded session can be resumed by the client that wrote it', () => {
		const recorded = corpusFiles('cline').filter((file) => !file.handWritten && file.scenario !== 'cli-foreign-resume');
		const models: string[] = [];
		for (const file of recorded) {
			const found = contextOf(file.bytes(), {});
			expect(found.refused, file.name).toBeUndefined();
			expect(found.client).toBe('3.0.65');
			models.push(`${found.provider}/${found.model}`);
		}
		expect(models.filter((model) => model === 'anthropic/claude-sonnet-4-6').length).toBeGreaterThan(10);
	});
});
