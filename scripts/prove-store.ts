/** What the real clients do with sessions that Reprise keeps in its vault, relinks, begins or forks: what is checked. Writes docs/store.md. */
// Run as `ORACLES=folder node scripts/prove-store.ts [NAME…]`.
// The vault: sessions dated back sixty days, the client's own clean-up, restored, and nothing of them is missing. Relink: a
// project is renamed, and its sessions are in the client's list of the new folder, which they were not before. The list:
// sessions that Reprise begins or forks are in the one that Cline's library and command line give. Asked for everything, it
// writes docs/store.md.
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codecOf, type Machine } from '../src/codecs/index.ts';
import { discoverSessions } from '../src/store/find/discover.ts';
import { createHandle } from '../src/store/handle/create.ts';
import type { Draft } from '../src/store/handle/draft.ts';
import { planRelink, relink } from '../src/store/manage/relink.ts';
import { keepSession, restoreFromVault } from '../src/store/manage/vault.ts';
import { contextOf } from '../src/store/reader/context.ts';
import { comparable, differences, type Sent } from '../test/support/claude-code-context.ts';
import { askOracle, oracles } from './oracles.ts';

const samples = join(import.meta.dirname, '../samples');
const installed = process.env.ORACLES_HOME ?? join(homedir(), '.cache/oracles');

interface Place {
	readonly root: string;
	/** What the client calls its home. */
	readonly home: string;
	/** A project's folder. */
	readonly project: string;
	readonly machine: Machine;
}

/** A machine of its own, with a folder for a project. */
function placeIn(root: string, variable: string): Place {
	const home = join(root, 'home');
	const project = join(root, 'project');
	for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
	const machine: Machine = {
		platform: 'linux',
		home: root,
		env: { [variable]: home, REPRISE_HOME: join(root, 'own') },
	};
	return { root, home, project, machine };
}

function placed(place: Place, format: string, sample: string, id: string): string {
	const codec = codecOf(format);
	if (!codec) throw new Error(`no codec for ${format}`);
	const created = '2026-03-02T09:00:00.000Z';
	const file = codec.places.place(place.machine, { id, cwd: place.project, created });
	mkdirSync(dirname(file), { recursive: true });
	const text = readFileSync(join(samples, sample), 'utf8').replaceAll('/home/dev/notes', place.project);
	writeFileSync(file, text, { mode: 0o600 });
	return file;
}

const claudeId = 'c1a0de00-5e55-4000-8000-00000000c0de';

/** The main file, a sub-agent's and the copy of a changed file, all of them dated back. */
function oldSession(place: Place): readonly string[] {
	const main = placed(place, 'claude-code', 'claude-code.jsonl', claudeId);
	const agent = join(main.replace(/\.jsonl$/, ''), 'subagents/agent-a1b2c3d.jsonl');
	const backup = join(place.home, 'file-history', claudeId, '0123456789abcdef@v1');
	const line = {
		type: 'user',
		uuid: 'a',
		parentUuid: null,
		isSidechain: true,
		agentId: 'a1b2c3d',
		sessionId: claudeId,
	};
	const files = [
		{ path: agent, text: `${JSON.stringify({ ...line, message: { role: 'user', content: 'look' } })}\n` },
		{ path: backup, text: 'as it was before\n' },
	];
	for (const { path, text } of files) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text, { mode: 0o600 });
	}
	const all = [main, ...files.map((file) => file.path)];
	const then = Date.now() / 1000 - 60 * 86_400;
	// Of the copies of changed files the client looks at the folder.
	for (const path of [...all, ...all.map(dirname)]) utimesSync(path, then, then);
	return all;
}

const port = 8123;
const key = 'a-dummy-string-not-a-key';

/** Runs a program on a network of its own, and returns what it printed. */
function runApart(
	{ root, project }: Place,
	command: readonly string[],
	env: { readonly [name: string]: string },
): string {
	const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
	const namespaces = [...user, '--net', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'];
	const shell = ['bash', '-c', 'ip link set lo up; exec "$@"', 'prove'];
	const run = spawnSync('unshare', [...namespaces, ...shell, ...command], {
		cwd: project,
		encoding: 'utf8',
		timeout: 120_000,
		input: '',
		env: { PATH: `${process.env.PATH}`, HOME: root, ...env },
	});
	if (run.status !== 0) throw new Error(`${command[0]} ended with ${run.status}: ${run.stderr || run.stdout}`);
	return run.stdout;
}

/** One question to the client, with nobody to answer but the scripted model. */
function startClaude(version: string, place: Place): void {
	const { root, home, project } = place;
	const folder = join(installed, `claude-code-${version}`, 'node_modules/@anthropic-ai');
	const binary = join(folder, `claude-code-${process.platform}-${process.arch}`, 'claude');
	const command = existsSync(binary) ? [binary] : [process.execPath, join(folder, 'claude-code/cli.js')];
	const script = join(root, 'model.json');
	// The client cleans up while it waits for the model.
	writeFileSync(script, JSON.stringify([{ text: 'hello', repeat: true, delayMs: 6000 }]));
	// Old versions call npm when they start.
	const stub = join(root, 'stub');
	mkdirSync(stub, { recursive: true });
	writeFileSync(join(stub, 'npm'), '#!/bin/sh\nexit 1\n');
	chmodSync(join(stub, 'npm'), 0o755);
	const projects = { [project]: { hasTrustDialogAccepted: true } };
	writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, projects }));
	const shell = [
		`"$1" --port ${port} --script "$2" > /dev/null &`,
		`for n in $(seq 100); do (: < /dev/tcp/127.0.0.1/${port}) 2> /dev/null && break; sleep 0.1; done`,
		'shift 2; "$@"',
	].join('\n');
	const started = ['bash', '-c', shell, 'prove', join(oracles, 'fake-model'), script];
	runApart(place, [...started, ...command, '-p', 'hello'], {
		PATH: `${stub}:${process.env.PATH}`,
		CLAUDE_CONFIG_DIR: home,
		ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
		ANTHROPIC_API_KEY: key,
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_AUTOUPDATER: '1',
		IS_SANDBOX: '1',
	});
}

async function vault(version: string, root: string): Promise<readonly string[]> {
	const place = placeIn(root, 'CLAUDE_CONFIG_DIR');
	const files = oldSession(place);
	const before = files.map((path) => readFileSync(path));
	const [session] = [...discoverSessions(place.machine)];
	if (!session) throw new Error('the session is not found');
	const { entry } = await keepSession(session, place.machine);
	startClaude(version, place);
	const wrong: string[] = [];
	const [main = ''] = files;
	if (existsSync(main)) return ['the client cleaned nothing up: this proves nothing'];
	const gone = files.filter((path) => !existsSync(path)).length;
	await restoreFromVault(entry, place.machine);
	files.forEach((path, at) => {
		if (!existsSync(path) || !readFileSync(path).equals(before[at] ?? Buffer.alloc(0)))
			wrong.push(`${path} is not what it was`);
	});
	startClaude(version, place);
	for (const path of files) if (!existsSync(path)) wrong.push(`${path} was deleted again`);
	if ((statSync(main).mode & 0o777) !== 0o600) wrong.push('the restored file is not private');
	wrong.push(...resumes(version, main, place.project));
	console.log(`vault, claude-code ${version}: the client deleted ${gone} of ${files.length} files`);
	return wrong;
}

/** The differences between what the client sends of a session and what Reprise says. */
function resumes(version: string, file: string, cwd: string): readonly string[] {
	const args = ['--client', version, '--session', file, '--cwd', cwd, '--keep-prompt', '--prompt', 'GO ON'];
	const { accepted, refusal, messages } = askOracle('claude-code-resume', args);
	if (accepted !== true) return [`the client refused the session: ${String(refusal)}`];
	const said = contextOf(file, { client: version, exact: true }).messages;
	return differences(comparable(said), comparable(messages as Sent, 'GO ON'));
}

async function relinkClaude(version: string, root: string): Promise<readonly string[]> {
	const place = placeIn(root, 'CLAUDE_CONFIG_DIR');
	const old = placed(place, 'claude-code', 'claude-code.jsonl', claudeId);
	const moved = join(root, 'renamed');
	renameSync(place.project, moved);
	const wrong: string[] = [];
	if (isListed(version, old, moved)) wrong.push('it is listed before it was relinked: this proves nothing');
	const { steps, failed } = await relink(planRelink(place.project, moved, place.machine), place.machine);
	for (const { reason } of failed) wrong.push(reason);
	const [step] = steps;
	if (!step) return [...wrong, 'nothing was relinked'];
	if (!isListed(version, step.to, moved)) wrong.push('the client does not list it in the new folder');
	return [...wrong, ...resumes(version, step.to, moved)];
}

/** Whether the client's own picker shows the session of a file, lying in the folder that the file lies in. */
function isListed(version: string, file: string, cwd: string): boolean {
	const slug = basename(dirname(file));
	const args = ['--client', version, '--session', file, '--cwd', cwd, '--slug', slug, '--list'];
	const { listed } = askOracle('claude-code-resume', args);
	return (listed as { readonly picker?: { readonly listed?: boolean } } | undefined)?.picker?.listed === true;
}

async function relinkPi(version: string, root: string): Promise<readonly string[]> {
	const place = placeIn(root, 'PI_CODING_AGENT_DIR');
	const old = placed(place, 'openclaw', 'openclaw.jsonl', '5e5510a0-0000-7000-8000-00000000c0de');
	const moved = join(root, 'renamed');
	renameSync(place.project, moved);
	const resume = (file: string) => {
		const { accepted } = askOracle('pi-resume', ['--client', version, '--session', file, '--no-make-cwd']);
		return accepted === true;
	};
	const wrong: string[] = [];
	if (resume(old)) wrong.push('it is resumed though its folder is gone: this proves nothing');
	const { steps, failed } = await relink(planRelink(place.project, moved, place.machine), place.machine);
	for (const { reason } of failed) wrong.push(reason);
	const [step] = steps;
	if (!step) return [...wrong, 'nothing was relinked'];
	if (!resume(step.to)) wrong.push('the client does not resume it in the new folder');
	return wrong;
}

/** What Cline's library says: its list, and how many messages it reads of a session. */
const askCline = `
	const { ClineCore } = await import(process.argv[1]);
	const cline = await ClineCore.create({ clientName: 'proof', backendMode: 'local', distinctId: 'proof' });
	const listed = (await cline.list(50)).map((session) => session.sessionId);
	const read = {};
	for (const id of listed) read[id] = (await cline.readMessages(id)).length;
	process.stdout.write(JSON.stringify({ listed, read }));
	process.exit(0);`;

interface ClineSays {
	readonly listed: readonly string[];
	readonly read: { readonly [id: string]: number };
}

const noTelemetry = { CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1' };

async function listCline(root: string): Promise<readonly string[]> {
	const place = placeIn(root, 'CLINE_DIR');
	const env = { CLINE_DIR: place.home, ...noTelemetry };
	const library = join(installed, 'cline-core-0.0.86/node_modules/@cline/core/dist/index.js');
	const command = join(installed, `cline-3.0.65/node_modules/@cline/cli-${process.platform}-${process.arch}/bin/cline`);
	const asked = [process.execPath, '--no-warnings', '--input-type=module', '-e', askCline, pathToFileURL(library).href];
	const ask = (): ClineSays => JSON.parse(runApart(place, asked, env)) as ClineSays;
	const begin = async () => {
		await using handle = await createHandle({ format: 'cline', cwd: place.project, machine: place.machine });
		await handle.append(says('user', 'begun by Reprise'), says('assistant', 'and answered'));
		const fork = await handle.fork();
		return [handle.session.id, fork.id] as const;
	};
	const early = await begin();
	const wrong: string[] = [];
	if (ask().listed.length > 0) wrong.push('the library lists a session that has no row: this proves nothing');
	const late = await begin();
	const { listed, read } = ask();
	for (const id of late) {
		if (!listed.includes(id)) wrong.push(`the library does not list ${id}`);
		else if (read[id] !== 2) wrong.push(`the library reads ${read[id]} messages of ${id}, not 2`);
	}
	const history = runApart(place, [command, 'history', '--json'], env);
	for (const id of [...early, ...late]) {
		if (!history.includes(`"${id}"`)) wrong.push(`the command line does not list ${id}`);
	}
	return wrong;
}

const says = (role: 'user' | 'assistant', text: string): Draft => ({
	kind: 'message',
	role,
	content: [{ type: 'text', text }],
});

const proofs: { readonly [name: string]: (root: string) => Promise<readonly string[]> } = {
	'vault Claude Code 2.1.29': (root) => vault('2.1.29', root),
	'vault Claude Code 2.1.325': (root) => vault('2.1.325', root),
	'relink Claude Code 2.1.29': (root) => relinkClaude('2.1.29', root),
	'relink Claude Code 2.1.325': (root) => relinkClaude('2.1.325', root),
	'relink pi 0.73.1': (root) => relinkPi('0.73.1', root),
	'relink pi 0.87.1': (root) => relinkPi('0.87.1', root),
	'list Cline core 0.0.86, CLI 3.0.65': listCline,
};

interface Row {
	readonly name: string;
	readonly wrong: readonly string[];
}

const meaning: { readonly [kind: string]: string } = {
	vault:
		'a session dated back sixty days is kept, the client’s clean-up deletes it, it is restored byte for byte, survives the next clean-up and is resumed',
	relink:
		'after its project was renamed the client does not find a session; relinked it lists or resumes it in the new folder',
	list: 'a session that Reprise begins, and a fork of it, are in the list of the library and of the command line, and are read whole',
};

function page(rows: readonly Row[]): string {
	const line = ({ name, wrong }: Row): string => {
		const [kind = '', ...client] = name.split(' ');
		return `| ${kind} | ${client.join(' ')} | ${wrong.length === 0 ? 'yes' : wrong.join('; ').replaceAll('|', '\\|')} |`;
	};
	return [
		'# Sessions kept, moved and listed, in the real clients',
		'',
		'Made by `node scripts/prove-store.ts`, which runs the real clients in homes of their own. _yes_ says that this held:',
		'',
		...Object.entries(meaning).map(([kind, what]) => `- ${kind}: ${what}.`),
		'',
		'| what | client | held |',
		'|---|---|---|',
		...rows.map(line),
		'',
	].join('\n');
}

const asked = process.argv.slice(2);
const chosen = Object.entries(proofs).filter(
	([name]) => asked.length === 0 || asked.some((part) => name.includes(part)),
);
const rows: Row[] = [];
for (const [name, prove] of chosen) {
	const root = mkdtempSync(join(tmpdir(), 'reprise-prove-'));
	const wrong = await prove(root).catch((error: unknown) => [String(error)]);
	rows.push({ name, wrong });
	console.log(`${name}: ${wrong.length === 0 ? 'holds' : 'FAILED'}`);
	for (const one of wrong) console.log(`  ${one}`);
	if (wrong.length > 0) process.exitCode = 1;
	if (process.env.KEEP === undefined) rmSync(root, { recursive: true, force: true });
	else cpSync(root, process.env.KEEP, { recursive: true });
}
if (asked.length === 0) writeFileSync(join(import.meta.dirname, '../docs/store.md'), page(rows));
