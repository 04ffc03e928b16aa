/** What a repository brings runs nothing and grants nothing before its user trusts it: every way in is a row of a table. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

interface Vector {
	readonly name: string;
	readonly files: { readonly [path: string]: unknown };
	readonly links?: { readonly [path: string]: string };
	/** Text of a file as it is. */
	readonly raw?: { readonly [path: string]: string };
	/** What the user is told. */
	readonly says: string;
	readonly call: { readonly name: string; readonly input: object };
	readonly prompt?: string;
	/** What no model may be told, and what it has to be. */
	readonly never?: string;
	/** Nobody is asked: the prompt calls a command that there is none of. */
	readonly unsent?: boolean;
	readonly must?: string;
	readonly usersHook?: string;
	readonly usersCommand?: { readonly [name: string]: string };
	readonly keeps?: boolean;
	/** A variable of the user's own that goes before it, trusted or not. */
	readonly without?: string;
	/** What happens once the folder is trusted, which shows that the vector is a real one; `nothing` where it never counts. */
	readonly counts: keyof typeof nothing | 'nothing';
}

const vectors = JSON.parse(
	readFileSync(join(import.meta.dirname, 'hostile-repositories.json'), 'utf8'),
) as readonly Vector[];

const secretText = 'THE-SECRET-OF-THE-USER';

let stage: ClientStage;
let called = 0;
const server = createServer((_, response) => {
	called += 1;
	response.writeHead(401).end('{}');
});
beforeEach(async () => {
	stage = new ClientStage();
	called = 0;
	if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
	stage[Symbol.dispose]();
	server.close();
});

const outside = (name: string): string => join(stage.home, name);

function filled<T>(value: T): T {
	const places: { readonly [name: string]: string } = {
		canary: outside('canary'),
		secret: outside('secret'),
		kept: outside('kept'),
		cwd: stage.cwd,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	};
	const text = JSON.stringify(value).replaceAll(
		/\{(canary|secret|kept|cwd|url)\}/g,
		(_, name: string) => places[name] ?? '',
	);
	return JSON.parse(text) as T;
}

function put(path: string, value: unknown): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
	chmodSync(path, 0o755);
}

function lay({ files, links = {}, raw = {}, usersHook, usersCommand = {} }: Vector): void {
	put(outside('secret'), `${secretText}\n`);
	for (const [path, value] of [...Object.entries(files), ...Object.entries(raw)]) put(stage.file(path), value);
	for (const [path, target] of Object.entries(links)) {
		mkdirSync(dirname(stage.file(path)), { recursive: true });
		symlinkSync(target, stage.file(path));
	}
	if (usersHook !== undefined) {
		const hooks = { Stop: [{ hooks: [{ type: 'command', command: usersHook }] }] };
		put(join(stage.home, '.claude/settings.json'), { hooks });
	}
	for (const [name, text] of Object.entries(usersCommand)) put(join(stage.home, `.claude/commands/${name}.md`), text);
}

interface Outcome {
	readonly err: string;
	/** All that the model was sent. */
	readonly sent: string;
	readonly seen: { readonly [what: string]: boolean };
}

async function tried(vector: Vector, ...flags: readonly string[]): Promise<Outcome> {
	const turns = [{ content: [{ type: 'tool_use' as const, ...vector.call }] }, { text: 'done' }];
	await using model = await startModelServer({ turns: turns as never });
	const mine = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'mine', ANTHROPIC_MODEL: 'claude-mine' };
	const env = flags.length > 0 && vector.without !== undefined ? { ...mine, [vector.without]: '' } : mine;
	const { err } = await stage.run(['-p', vector.prompt ?? 'go', ...flags], { env });
	const sent = JSON.stringify(model.requests.map(({ body }) => body));
	const seen = {
		canary: existsSync(outside('canary')),
		granted: existsSync(stage.file('granted')),
		secret: sent.includes(secretText),
		url: called > 0,
		key: model.requests.some(({ headers }) => JSON.stringify(headers).includes('theirs')),
		words: vector.never !== undefined && sent.includes(vector.never),
		silenced: vector.keeps === true && !existsSync(outside('kept')),
	};
	return { err, sent, seen };
}

const nothing = {
	...{ canary: false, granted: false, secret: false, url: false },
	...{ key: false, words: false, silenced: false },
};

describe('before trust', () => {
	it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, given) => {
		const vector = filled(given);
		lay(vector);
		const { err, sent, seen } = await tried(vector);
		expect(seen).toEqual(nothing);
		expect(err).toContain(vector.says);
		if (vector.unsent) expect(sent).toBe('[]');
		else expect(sent).toContain('claude-mine');
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
		expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
		if (vector.must !== undefined) expect(sent).toContain(vector.must);
		expect(err.split('\n').filter((line) => line.includes('is not trusted, so')).length).toBeLessThanOrEqual(1);
	});
});

describe('with --trust', () => {
	it.each(vectors.map((vector) => [vector.name, vector.counts, vector] as const))(
		'%s: %s',
		async (_, counts, given) => {
			const vector = filled(given);
			lay(vector);
			const { err, seen } = await tried(vector, '--trust');
			if (counts === 'nothing') expect(seen).toEqual(nothing);
			else expect(seen[counts]).toBe(true);
			expect(err).not.toContain('is not trusted');
		},
	);
});

it('there are thirty ways in, and more', () => {
	expect(vectors.length).toBeGreaterThanOrEqual(30);
});
