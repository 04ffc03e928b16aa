/** The official Agent SDK goes on from our PostgreSQL store alone, and from what `reprise mirror` has stored: what is checked. */
// Run as `ORACLES=folder node scripts/prove-sdk-store.ts`. The real
// client has a conversation that the SDK mirrors into the store; everything on disk is removed; the SDK resumes, and the model
// gets what was said. Then a session that only `reprise mirror` has stored. A home of its own, and no network but loopback.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
	getSessionMessages,
	listSessions,
	postgresStore,
	projectKeyOf,
	type SessionStore,
} from '../src/session-store/index.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { oracles } from './oracles.ts';

const installed = process.env.ORACLES_HOME ?? join(homedir(), '.cache/oracles');
const client = join(installed, 'claude-code-2.1.325/node_modules/@anthropic-ai/claude-code-linux-x64/claude');
const sdkFile = join(installed, 'claude-agent-sdk-0.3.325/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');

if (process.env.REPRISE_ALONE === undefined) {
	const again = [
		'--net',
		'bash',
		'-c',
		'ip link set lo up && exec "$@"',
		'alone',
		process.execPath,
		import.meta.filename,
	];
	const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
	const env = { ...process.env, REPRISE_ALONE: '1' };
	process.exit(spawnSync('unshare', [...user, ...again], { stdio: 'inherit', env }).status ?? 2);
}

interface Sdk {
	query(
		input: object,
	): AsyncIterable<{ readonly type: string; readonly session_id?: string; readonly result?: string }>;
	listSessions(options: object): Promise<readonly { readonly sessionId: string; readonly summary: string }[]>;
	getSessionMessages(id: string, options: object): Promise<readonly { readonly uuid: string }[]>;
}
const sdk = (await import(pathToFileURL(sdkFile).href)) as Sdk;

const root = mkdtempSync(join(tmpdir(), 'reprise-prove-'));
const [home, config, work, requests] = ['home', 'config', 'work', 'requests.jsonl'].map((name) => join(root, name)) as [
	string,
	string,
	string,
	string,
];
for (const folder of [home, config, work]) mkdirSync(folder);
const server = await startPostgres();
const model = spawn(join(oracles, 'fake-model'), ['--port', '0', '--inline', '--log', requests], {
	stdio: ['ignore', 'pipe', 'inherit'],
});
const checks: { readonly what: string; readonly ok: boolean }[] = [];
const check = (what: string, ok: boolean): void => void checks.push({ what, ok });

/** Runs one prompt through the SDK; what it knows of earlier ones comes from the store. */
async function ask(base: string, prompt: string, sessionStore: SessionStore, resume?: string): Promise<string> {
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		CLAUDE_CONFIG_DIR: config,
		ANTHROPIC_BASE_URL: base,
		ANTHROPIC_API_KEY: 'not-a-key',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		IS_SANDBOX: '1',
	};
	const options = { cwd: work, env, settingSources: [], pathToClaudeCodeExecutable: client, sessionStore, resume };
	let id = '';
	for await (const message of sdk.query({ prompt, options }))
		if (message.type === 'result') id = message.session_id ?? '';
	// The store is all that is left.
	rmSync(join(config, 'projects'), { recursive: true, force: true });
	return id;
}

const lastRequest = (): string =>
	readFileSync(requests, 'utf8')
		.trim()
		.split('\n')
		.findLast((line) => line.includes('"tools"')) ?? '';

try {
	const { value: line } = await createInterface({ input: model.stdout })[Symbol.asyncIterator]().next();
	const { listening: base } = JSON.parse(String(line)) as { listening: string };
	process.env.HOME = home;
	process.env.CLAUDE_CONFIG_DIR = config;
	process.env.REPRISE_HOME = join(root, 'own');

	const first = postgresStore(server.url);
	const id = await ask(base, '@@text the otter is noted', first);
	await first.close();
	await using store = postgresStore(server.url);
	const before = (await store.load({ projectKey: projectKeyOf(realpathSync(work)), sessionId: id }))?.length ?? 0;
	check('the store has the conversation', before > 0);
	const again = await ask(base, '@@text still here', store, id);
	check('the session keeps its id', again === id && id !== '');
	check('the model gets what was said before', lastRequest().includes('the otter is noted'));
	const place = { dir: work, sessionStore: store };
	const theirs = await sdk.getSessionMessages(id, place);
	const ours = await getSessionMessages(id, place);
	check('the new turn is stored', theirs.length >= 4);
	check(
		'our functions and the SDK’s see the same messages',
		JSON.stringify(theirs.map(({ uuid }) => uuid)) === JSON.stringify(ours.map(({ uuid }) => uuid)),
	);
	const titles = async (list: (options: object) => Promise<readonly { summary: string }[]>): Promise<string> =>
		JSON.stringify((await list(place)).map(({ summary }) => summary));
	check('and the same list', (await titles(sdk.listSessions)) === (await titles(listSessions)));

	const mirrored = '0c1a3000-5e55-4000-8000-00000000cafe';
	const folder = join(config, 'projects', projectKeyOf(realpathSync(work)));
	mkdirSync(folder, { recursive: true });
	const sample = readFileSync(join(import.meta.dirname, '../samples/claude-code.jsonl'), 'utf8');
	const old = /"sessionId":"([^"]+)"/.exec(sample)?.[1] ?? '';
	writeFileSync(join(folder, `${mirrored}.jsonl`), sample.replaceAll(old, mirrored));
	const bin = join(import.meta.dirname, '../bin/reprise.js');
	const ran = spawnSync(process.execPath, [bin, 'mirror', '--all', '--to', server.url], { encoding: 'utf8' });
	check(`reprise mirror stores it (${ran.stdout.trim() || ran.stderr.trim()})`, ran.status === 0);
	rmSync(join(config, 'projects'), { recursive: true });
	const said = /"text":"([^"\\]{20,60})/.exec(sample)?.[1] ?? '';
	await ask(base, '@@text from a mirror', store, mirrored);
	check(`the SDK goes on from what reprise mirror stored (“${said}”)`, said !== '' && lastRequest().includes(said));
} finally {
	model.kill();
	await server.stop();
	rmSync(root, { recursive: true, force: true });
}
for (const { what, ok } of checks) console.log(`${ok ? 'yes' : 'NO '}  ${what}`);
process.exit(checks.every(({ ok }) => ok) && checks.length > 0 ? 0 : 1);
