/** `reprise demo`: a tour, offline, in a scratch folder: sample sessions of all four agents, and an agent that writes its own. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codecs } from '../codecs/index.ts';
import { copySession } from '../store/manage/copy.ts';
import type { Define } from './commands.ts';
import { agentTour } from './demo-agent.ts';
import type { ExitCode } from './main.ts';
import { paint, print } from './print.ts';

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));

/** The main file of each sample session, by format. */
export const sampleFiles: { readonly [format: string]: string } = {
	'claude-code': 'claude-code.jsonl',
	cline: 'cline.messages.json',
	clido: 'clido.jsonl',
	openclaw: 'openclaw.jsonl',
};

export const define: Define = (command, outcome) => {
	command
		.option('--keep', 'leave the scratch folder behind')
		.addHelpText('after', '\nExample:\n  reprise demo')
		.action(async (options: { readonly keep?: boolean }) => {
			const scratch = mkdtempSync(join(tmpdir(), 'reprise-demo-'));
			cpSync(samples, scratch, { recursive: true });
			const back = process.cwd();
			process.chdir(scratch);
			try {
				outcome.code = await tour();
			} finally {
				process.chdir(back);
				if (options.keep) print(`\nThe scratch folder is ${scratch}`);
				else rmSync(scratch, { recursive: true, force: true });
			}
		});
};

async function tour(): Promise<ExitCode> {
	heading('One story, recorded by four agents. What is in the files?');
	for (const codec of codecs) await run('inspect', file(codec.id));

	heading('Is anything wrong with them? First by the real client’s rules, then by the published document’s.');
	for (const codec of codecs) await run('check', file(codec.id), '--profile', 'client');
	for (const codec of codecs) await run('check', file(codec.id), '--profile', 'published');

	heading('A crash cuts a file in the middle of a line. Nothing before the tear is hidden.');
	const torn = file('claude-code');
	cpSync(torn, 'torn.jsonl');
	truncateSync('torn.jsonl', readFileSync(torn).length - 40);
	await run('check', 'torn.jsonl', '--profile', 'client');
	await run('inspect', 'torn.jsonl');

	heading('Read and written again, every file keeps its bytes.');
	let same = true;
	for (const codec of codecs) {
		const copy = `copy-of-${file(codec.id)}`;
		await run('convert', file(codec.id), '--to', codec.id, '-o', copy);
		const [before, after] = [digest(file(codec.id)), digest(copy)];
		same &&= before === after;
		print(`${before}  ${file(codec.id)}\n${after}  ${copy}\n`);
	}
	print(
		same ? paint('green', 'Four sessions, four identical copies.') : paint('red', 'A copy differs: this is a bug.'),
	);

	heading('\nThe smallest edit that makes the torn session resumable again; the original is kept.');
	await run('repair', 'torn.jsonl');

	await atHome(async () => {
		await agentTour({ heading, run });
		heading('A home where four agents keep their sessions: list them, search them, price them, read one.');
		for (const codec of codecs) await copySession(file(codec.id), 'home/', codec.id);
		await run('ls', '--all');
		await run('search', 'empty', 'input', '--all');
		await run('cost', '--all', '--by', 'agent');
		await run('show', file('openclaw'), '--no-pager');
	});
	return same ? 0 : 1;
}

/** With every variable that leads to a client's or our own data pointed into the scratch folder. */
async function atHome(visit: () => Promise<void>): Promise<void> {
	const home = resolve('home');
	mkdirSync(home);
	const before = new Map(Object.entries(process.env));
	for (const name of before.keys()) {
		if (/^(CLAUDE_CONFIG_DIR|CLINE_|CLIDO_|PI_CODING_AGENT_|OPENCLAW_|XDG_)/.test(name)) delete process.env[name];
	}
	Object.assign(process.env, { HOME: home, USERPROFILE: home, APPDATA: home, REPRISE_HOME: join(home, '.reprise') });
	try {
		await visit();
	} finally {
		for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name];
		for (const [name, value] of before) process.env[name] = value;
	}
}

function file(format: string): string {
	return sampleFiles[format] as string;
}

function digest(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

function heading(text: string): void {
	print(`${paint('bold', text)}\n`);
}

/** Runs a command as a user would type it. */
async function run(...args: readonly string[]): Promise<void> {
	const { main } = await import('./main.ts');
	print(paint('cyan', `$ reprise ${args.map(typed).join(' ')}`));
	await main(args);
	print('');
}

function typed(arg: string): string {
	return /^[\w./:,=-]+$/.test(arg) ? arg : `"${arg}"`;
}
