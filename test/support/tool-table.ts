/** Calls of tools as rows of a table: one run of the command makes them all, and its session and its requests say what came of each. */
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import { ClientStage, type Frame, framesIn } from './client.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

export type Call = readonly [tool: string, input: JsonObject];

/** What comes of a call. */
export interface Answered {
	/** What the model is told: all of a text, a pattern for it, or blocks. */
	readonly told: string | RegExp | readonly unknown[];
	readonly isError?: true;
	/** `toolUseResult` of the session's line. */
	readonly kept: unknown;
	/** What those who watch were told while it ran; the lines of it stand in the session too. */
	readonly progress?: readonly unknown[];
}

export interface ToolRow extends Answered {
	readonly call: Call;
	/** What the model writes in place of an input. */
	readonly raw?: string;
	/** Calls that are made before it. */
	readonly after?: readonly Call[];
	/** The row of docs/tools.md that says why it is not what 2.1.29 answers. */
	readonly unlike29?: string;
}

export interface TableSetting {
	/** Files of the project, each a day younger than the one before. */
	readonly files?: { readonly [name: string]: string | Buffer };
	readonly flags?: readonly string[];
	readonly env?: { readonly [name: string]: string };
	/** What the program that drives the client answers when it is asked about a call. */
	readonly answer?: (input: JsonObject, tool: string) => JsonObject;
	/** A server of pages, which rows call `{pages}`. */
	readonly pages?: RequestListener;
	/** What the model says where a tool asks it something beside the conversation. */
	readonly consulted?: string;
}

/** Nothing was run. */
export const refusal = (why: string): Answered => ({
	...{ told: `<tool_use_error>${why}</tool_use_error>`, isError: true, kept: `Error: ${why}` },
});

/** It was tried, and failed. */
export const failure = (why: string): Answered => ({ told: why, isError: true, kept: `Error: ${why}` });

/** An input that is wrong; the session keeps all issues as JSON. */
export const wrong = (tool: string, ...problems: readonly string[]): Answered => ({
	told: `<tool_use_error>InputValidationError: ${tool} failed due to the following ${problems.length > 1 ? 'issues' : 'issue'}:\n${problems.join('\n')}</tool_use_error>`,
	isError: true,
	kept: expect.stringMatching(/^InputValidationError: \[\n/),
});

/** A text, and what the session keeps of it. */
export const said = (told: Answered['told'], kept: unknown): Answered => ({ told, kept });

/** The folder of the project, in rows. */
export const project = '/the/project';

const page = readFileSync(join(import.meta.dirname, '../../docs/tools.md'), 'utf8');

/** In a row, `{id}` is the id of the command that was last left in the background. */
export function toolTable(rows: { readonly [law: string]: ToolRow }, setting: TableSetting = {}): void {
	const names = Object.keys(rows);
	const answers = new Map<string, Outcome>();
	beforeAll(async () => {
		using stage = new ClientStage();
		prepare(stage, setting.files ?? {});
		await using pages = await serving(setting.pages);
		const places = { [project]: stage.cwd, '{pages}': pages.url };
		const turns = names.map((name, index) => turnOf(rows[name] as ToolRow, index, places));
		const consulted = setting.consulted === undefined ? [] : [{ when: { tools: false }, text: setting.consulted }];
		const repeated = consulted.map((turn) => ({ ...turn, repeat: true }));
		const flat = [...repeated, ...turns.flat(), { text: 'Done.' }];
		await using server = await startModelServer({ turns: flat, strict: true, fill: withTask });
		await run(stage, server, toPlaces(setting, places));
		expect(server.requests.flatMap(({ rejected }) => rejected ?? [])).toEqual([]);
		const [session] = await stage.sessions();
		const lines = framesIn(readFileSync(session?.path ?? '', 'utf8'));
		for (const [index, name] of names.entries())
			answers.set(name, fromPlaces(answerTo(`toolu_row_${index}`, lines, server), places));
	}, 60_000);
	it.each(names)('%s', (name) => {
		const { told, kept, progress, isError = false, unlike29 } = rows[name] as ToolRow;
		const got = answers.get(name);
		if (told instanceof RegExp) expect(got?.told).toMatch(told);
		else expect(got?.told).toEqual(told);
		expect(got?.isError).toBe(isError);
		expect(got?.kept).toEqual(kept);
		if (progress) expect(got?.progress).toEqual(progress);
		if (unlike29 !== undefined) expect(page).toContain(`\n| ${unlike29} |`);
	});
}

function prepare(stage: ClientStage, files: NonNullable<TableSetting['files']>): void {
	for (const [index, [name, content]] of Object.entries(files).entries()) {
		mkdirSync(dirname(stage.file(name)), { recursive: true });
		writeFileSync(stage.file(name), content);
		if (name.endsWith('.sh')) chmodSync(stage.file(name), 0o755);
		utimesSync(stage.file(name), 1_704_067_200 + index * 86_400, 1_704_067_200 + index * 86_400);
	}
}

/** What rows say for a folder or an address that only a run knows. */
type Places = { readonly [word: string]: string };

function toPlaces<T>(value: T, places: Places): T {
	const filled = Object.entries(places).reduce(
		(text, [word, place]) => text.replaceAll(word, place),
		JSON.stringify(value),
	);
	return { ...value, ...(JSON.parse(filled) as T) };
}

function fromPlaces<T>(value: T, places: Places): T {
	const text = Object.entries(places).reduce(
		(named, [word, place]) => (place === '' ? named : named.replaceAll(place, word)),
		JSON.stringify(value),
	);
	return JSON.parse(text) as T;
}

async function serving(pages: RequestListener | undefined): Promise<{ readonly url: string } & AsyncDisposable> {
	const server = createServer(pages);
	if (!pages) return { url: '', [Symbol.asyncDispose]: async () => undefined };
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

function turnOf({ call, raw, after = [] }: ToolRow, index: number, places: Places) {
	const use = ([name, input]: Call, id: string, rawInput?: string) => ({
		content: [
			{
				...{ type: 'tool_use' as const, id, name, input: toPlaces(input, places) as { [key: string]: never } },
				...(rawInput === undefined ? {} : { rawInput }),
			},
		],
	});
	return [...after.map((one, at) => use(one, `toolu_row_${index}_before_${at}`)), use(call, `toolu_row_${index}`, raw)];
}

/** Ids of tasks are drawn by the client: a model takes them from what it was told. */
function withTask<T>(turn: T, raw: string): T {
	const id = [...raw.matchAll(/background (?:with ID: |\(ID: )(b[0-9a-f]+)/g)].at(-1)?.[1];
	return id === undefined ? turn : (JSON.parse(JSON.stringify(turn).replaceAll('{id}', id)) as T);
}

async function run(stage: ClientStage, server: ModelServer, setting: TableSetting): Promise<void> {
	const { answer, env = {} } = setting;
	const stdio = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
	const flags = setting.flags ?? ['--permission-mode', 'bypassPermissions'];
	const output = ['--output-format', 'stream-json', '--model', 'anthropic/claude-sonnet-4-5'];
	const asked = answer ? ['-p', ...stdio] : ['-p', 'go'];
	const child = stage.start([...asked, ...output, ...flags], {
		...{ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' },
		...env,
	});
	let out = '';
	let err = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		err += text;
	});
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		const lines = (out + text).split('\n');
		out = lines.pop() ?? '';
		for (const frame of framesIn(lines.join('\n'))) {
			if (frame.type === 'result') child.stdin.end();
			if (frame.type !== 'control_request' || !answer) continue;
			const { request_id, request } = frame as unknown as { request_id: string; request: Asked };
			const response = { subtype: 'success', request_id, response: answer(request.input, request.tool_name) };
			child.stdin.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
		}
	});
	if (answer) child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`);
	else child.stdin.end();
	const code = await new Promise((done) => child.on('close', done));
	if (code !== 0) throw new Error(`it ended with ${code}: ${err}`);
}

interface Asked {
	readonly tool_name: string;
	readonly input: JsonObject;
}

interface Outcome extends Omit<Answered, 'isError'> {
	readonly isError: boolean;
}

/** By the line of the session, which is what the model was sent: a provider fits nothing but pictures to its API. */
function answerTo(id: string, lines: readonly Frame[], server: ModelServer): Outcome {
	const contentOf = (line: Frame): Json | undefined =>
		isObject(line.message as Json) ? (line.message as JsonObject).content : undefined;
	const line = lines.find((one) => blockIn(contentOf(one), id));
	const block = line && blockIn(contentOf(line), id);
	const sent = server.requests
		.flatMap(({ body }) => body.messages as readonly JsonObject[])
		.map(({ content }) => blockIn(content, id))
		.find((one) => one !== undefined);
	const told = block?.content as string;
	if (typeof told === 'string') expect(sent?.content).toBe(told);
	expect(sent?.is_error === true).toBe(block?.is_error === true);
	const progress = lines.filter(({ type, parentToolUseID }) => type === 'progress' && parentToolUseID === id);
	return {
		told,
		isError: block?.is_error === true,
		kept: line?.toolUseResult,
		progress: progress.map(({ data }) => data),
	};
}

function blockIn(content: Json | undefined, id: string): JsonObject | undefined {
	const blocks = Array.isArray(content) ? (content as readonly Json[]) : [];
	return blocks.filter(isObject).find((block) => block.type === 'tool_result' && block.tool_use_id === id);
}
