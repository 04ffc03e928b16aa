/** Keys are not repeated, our own folder is its owner's alone, and a log that cannot be written stops nothing. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { treeOf } from '../support/scratch.ts';

let stage: ClientStage;
let server: Server | undefined;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(async () => {
	await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
	server = undefined;
	stage[Symbol.dispose]();
});

const key = 'sk-ant-api03-very-secret-0123456789';

/** A server that refuses every request and repeats the key that it got, as some do. */
async function echoing(): Promise<string> {
	server = createServer((request, answer) => {
		const got = request.headers['x-api-key'] ?? request.headers.authorization ?? request.headers['x-goog-api-key'];
		answer.writeHead(401, { 'content-type': 'application/json' });
		answer.end(
			JSON.stringify({
				type: 'error',
				error: { type: 'authentication_error', code: 401, message: `invalid key ${String(got)}` },
			}),
		);
	});
	await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a key that a server repeats in an error', () => {
	it.each([
		['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
		['openai/gpt-5', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
		['google/gemini-2.5-pro', 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
	])('is neither printed, nor logged, nor in the session: %s', async (model, name, address) => {
		const env = { [name]: key, [address]: await echoing() };
		for (const format of ['text', 'json', 'stream-json']) {
			const { code, out, err } = await stage.run(
				['-p', 'hello', '--model', model, '--output-format', format, '--debug'],
				{ env },
			);
			expect(code).toBe(3);
			expect(out + err).not.toContain(key);
			expect(out + err).toContain(`<${name}>`);
		}
		expect(Object.values({ ...treeOf(stage.home), ...treeOf(stage.own) }).join('')).not.toContain(key);
		const [log = ''] = readdirSync(join(stage.own, 'debug')).filter((file) => file.endsWith('.log'));
		expect(readFileSync(join(stage.own, 'debug', log), 'utf8')).toContain(`<${name}>`);
	});
});

describe.runIf(process.platform !== 'win32')('our own folder', () => {
	const modeOf = (path: string): number => statSync(path).mode & 0o777;

	it('is its owner’s alone, whatever the umask', async () => {
		const before = process.umask(0);
		try {
			await stage.run(['ls', '--all']);
			await stage.run(['search', '--all', 'x']);
		} finally {
			process.umask(before);
		}
		expect(modeOf(stage.own)).toBe(0o700);
	});

	it('becomes its owner’s alone where it was made for everybody', async () => {
		mkdirSync(stage.own, { recursive: true });
		chmodSync(stage.own, 0o755);
		await stage.run(['ls', '--all']);
		expect(modeOf(stage.own)).toBe(0o700);
	});
});

describe('--debug where no log can be written', () => {
	it('says so in one line, and the command does its work', async () => {
		// A file in the place of the folder: nobody can write below it, not even root.
		const blocked = stage.file('blocked');
		writeFileSync(blocked, '');
		const env = { REPRISE_HOME: join(blocked, 'own') };
		const { code, out, err } = await stage.run(
			['inspect', join(import.meta.dirname, '../../samples/clido.jsonl'), '--debug'],
			{ env },
		);
		expect(code).toBe(0);
		expect(out).toContain('clido');
		expect(err).toMatch(/^reprise: no log is written: .*\n$/);
	});
});
