/**
 * Law 9 over the corpus. What is normalised away before comparing, and nothing else:
 *
 * | what                                              | why                                                      |
 * | ------------------------------------------------- | -------------------------------------------------------- |
 * | messages with the role `system` or `developer`    | the client's own instructions, made anew for each run    |
 * | `cache_control`                                   | a mark for the cache, not content                        |
 * | the new prompt and what follows it                | the context ends before it (OpenClaw adds a report)      |
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { corpusRoot } from '../../../../test/support/corpus.ts';
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { type Target, type WireApi, wires } from '../../../wires/index.ts';
import { type LineIndex, parsedIndex } from '../../shared/read/line-index.ts';
import { contextMessages, openclaw, readyMessages } from '../index.ts';

const root = join(corpusRoot, 'openclaw');

const json = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json;
const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

interface Resume {
	readonly version: string;
	readonly scenario: string;
	readonly file: string;
	readonly prompt: string;
}

const resumes: readonly Resume[] = readdirSync(root).flatMap((version) =>
	readdirSync(join(root, version)).flatMap((scenario) =>
		list(object(json(join(root, version, scenario, 'scenario.json'))).resumes).map((resume) => ({
			version,
			scenario,
			file: String(resume.file),
			prompt: String(resume.prompt),
		})),
	),
);

/** The lines of a scenario; those of a database are in a file beside it. */
function indexOf({ version, scenario }: Resume): LineIndex {
	const folder = join(root, version, scenario);
	if (version === '2026.9.6') {
		const rows = readFileSync(join(folder, 'expected.transcript-events.jsonl'), 'utf8').trim().split('\n');
		const lines = rows.map((row) => JSON.stringify(object(JSON.parse(row) as Json).event));
		return parsedIndex(openclaw, Buffer.from(lines.join('\n')));
	}
	const files = readdirSync(folder, { recursive: true, withFileTypes: true });
	const main = files.find(
		(file) =>
			file.name.endsWith('.jsonl') && /sessions/.test(relative(folder, file.parentPath)) && !/traj/.test(file.name),
	);
	if (!main) throw new Error(`${version}/${scenario} has no session`);
	return parsedIndex(openclaw, readFileSync(join(main.parentPath, main.name)));
}

const says = (message: JsonObject, text: string): boolean =>
	message.role === 'user' && JSON.stringify(message.content ?? message.parts).includes(text);

/** The line of the prompt, and the model that answered it. */
function promptIn(index: LineIndex, prompt: string): { readonly before: string; readonly target: Target } {
	let at = index.length - 1;
	while (at >= 0 && !says(object(index.value(at).message), prompt)) at--;
	const parent = index.field(at, 'parentId');
	for (let line = at + 1; line < index.length; line++) {
		const { role, provider, api, model } = object(index.value(line).message);
		const target = { provider: String(provider), api: String(api), model: String(model) };
		if (role === 'assistant') return { before: String(parent), target };
	}
	throw new Error('nobody answered the prompt');
}

function normalised(messages: readonly JsonObject[], prompt: string): Json {
	const own = messages.filter((message) => message.role !== 'system' && message.role !== 'developer');
	const end = own.findLastIndex((message) => says(message, prompt));
	const text = JSON.stringify(own.slice(0, end), (key, value) => (key === 'cache_control' ? undefined : value));
	return JSON.parse(text) as Json;
}

describe('context over the recorded resumes', () => {
	it('there are recordings of every client', () => {
		expect([...new Set(resumes.map((resume) => resume.version))].sort()).toEqual([
			'2026.7.1',
			'2026.9.6',
			'pi-0.73.1',
			'pi-0.87.1',
		]);
	});

	it.each(resumes)('$version $scenario is sent as recorded', (resume) => {
		const index = indexOf(resume);
		const { before, target } = promptIn(index, resume.prompt);
		const found = contextMessages(index, { client: resume.version.replace('pi-', ''), at: before });
		const ready = readyMessages(found, target);
		const sent = wires[target.api as WireApi](
			ready.turns.map((turn) => turn.message),
			target,
			found.rules,
		);
		const recorded = list(json(join(root, resume.version, resume.scenario, resume.file)));
		expect(plain(sent.messages)).toEqual(normalised(recorded, resume.prompt));
		if (target.api !== 'anthropic-messages') return;
		const context = whole(
			openclaw.context.build?.(index, {
				client: resume.version.replace('pi-', ''),
				at: before,
				target,
				api: target.api,
			}),
		);
		expect(context.messages).toEqual(sent.messages);
	});
});

const cases = readdirSync(join(root, 'min')).flatMap((name) =>
	readdirSync(join(root, 'min', name))
		.map((file) => /^expected\.(load|resume)\.(pi|openclaw)-(.+)\.json$/.exec(file))
		.filter((found) => found !== null)
		.map(([file, how, , client]) => ({ name, file, how, client: String(client) })),
);

/** What no file states: whether its folder exists, and whether `doctor` imported it into a database. */
const untold = new Set(['15-missing-cwd resume 0.87.1', 'oc-05-v3-minimal resume 2026.9.6']);

/** The notation of OpenClaw's recorded outcomes: a Python list of roles and contents. */
function notation(messages: readonly JsonObject[]): string {
	const quoted = (text: Json | undefined) => `'${String(text).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`;
	const block = (one: JsonObject) =>
		`(${quoted(one.type)}, ${quoted(one.text ?? one.thinking ?? one.name ?? one.content)})`;
	const content = (value: Json | undefined) =>
		typeof value === 'string' ? quoted(value) : `[${list(value).map(block).join(', ')}]`;
	return messages.map((message) => `(${quoted(message.role)}, ${content(message.content)})`).join(', ');
}

describe('context over the hand-written cases', () => {
	it.each(cases)('$name: $how in $client', ({ name, file, how, client }) => {
		const index = parsedIndex(openclaw, readFileSync(join(root, 'min', name, 'session.jsonl')));
		const expected = object(json(join(root, 'min', name, file)));
		if (how === 'load') {
			const found = contextMessages(index, { client });
			const loaded = object(expected.context).messages;
			// 0.73.1 "loads" an unknown file by overwriting it.
			if (found.refused !== undefined) expect(loaded ?? []).toEqual([]);
			else expect(plain(found.messages.map((one) => one.message))).toEqual(loaded);
			return;
		}
		if (untold.has(`${name} ${how} ${client}`)) return;
		const context = whole(openclaw.context.build?.(index, { client }));
		if (expected.sent === undefined) expect(context.refused).toBeDefined();
		else if (typeof expected.sent === 'string') {
			const before = context.messages.length ? `[${notation(plain(context.messages) as JsonObject[])}, ` : '[';
			expect(expected.sent.startsWith(before)).toBe(true);
			expect(expected.sent.slice(before.length)).toMatch(/^\('user', \[\('text', '\[[^']* UTC\] resumed /);
		} else expect(plain(context.messages)).toEqual(normalised(list(expected.sent), 'resumed prompt'));
	});
});
