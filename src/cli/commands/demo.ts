/** `reprise demo`: the steps of the tour and their order, offline, in a scratch folder and a home of its own. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Codec, codecs } from '../../codecs/index.ts';
import { copySession } from '../../store/manage/copy.ts';
import { paint, print } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import type { ExitCode } from '../main.ts';
import { packageFile } from '../version.ts';
import { agentTour } from './demo-agent.ts';

const samples = packageFile('samples/');

/** The main file of a format's sample session. */
export function sampleFile({ id, places }: Codec): string {
	return `${id}${places.ending}`;
}

/** A format that is new has no sample until the documents are made again. */
const sampled = codecs.filter((codec) => existsSync(join(samples, sampleFile(codec))));

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
				outcome.code = await atHome(tour);
			} finally {
				process.chdir(back);
				if (options.keep) print(`\nThe scratch folder is ${scratch}`);
				else rmSync(scratch, { recursive: true, force: true });
			}
		});
};

async function tour(): Promise<ExitCode> {
	const files = sampled.map(sampleFile);
	heading('One story, recorded by each agent. What is in the files?');
	for (const file of files) await run('inspect', file);

	heading('Is anything wrong with them? First by the real client’s rules, then by the published document’s.');
	for (const file of files) await run('check', file, '--profile', 'client');
	for (const file of files) await run('check', file, '--profile', 'published');

	heading('A crash cuts a file in the middle of a line. Nothing before the tear is hidden.');
	cpSync('claude-code.jsonl', 'torn.jsonl');
	truncateSync('torn.jsonl', readFileSync('torn.jsonl').length - 40);
	await run('check', 'torn.jsonl', '--profile', 'client');
	await run('inspect', 'torn.jsonl');

	heading('Read and written again, every file keeps its bytes.');
	let same = true;
	for (const codec of sampled) {
		const file = sampleFile(codec);
		const copy = `copy-of-${file}`;
		await run('convert', file, '--to', codec.id, '-o', copy);
		const [before, after] = [digest(file), digest(copy)];
		same &&= before === after;
		print(`${before}  ${file}\n${after}  ${copy}\n`);
	}
	print(
		same
			? paint('green', `${files.length} sessions, ${files.length} identical copies.`)
			: paint('red', 'A copy differs: this is a bug.'),
	);

	heading('\nThe smallest edit that makes the torn session resumable again; the original is kept.');
	await run('repair', 'torn.jsonl');

	await agentTour({ heading, run });
	heading('A home where all agents keep their sessions: list them, search them, price them, read one.');
	for (const codec of sampled) await copySession(sampleFile(codec), 'home/', codec.id);
	await run('ls', '--all');
	await run('search', 'empty', 'input', '--all');
	await run('cost', '--all', '--by', 'agent');
	await run('show', 'openclaw.jsonl', '--no-pager');
	return same ? 0 : 1;
}

/** With every variable that leads to a client's or our own data pointed into the scratch folder. */
async function atHome<T>(visit: () => Promise<T>): Promise<T> {
	const home = resolve('home');
	mkdirSync(home);
	const before = new Map(Object.entries(process.env));
	const leading = ['XDG_', ...codecs.flatMap(({ places }) => places.variables ?? [])];
	for (const name of before.keys()) if (leading.some((start) => name.startsWith(start))) delete process.env[name];
	Object.assign(process.env, { HOME: home, USERPROFILE: home, APPDATA: home, REPRISE_HOME: join(home, '.reprise') });
	try {
		return await visit();
	} finally {
		for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name];
		for (const [name, value] of before) process.env[name] = value;
	}
}

function digest(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

function heading(text: string): void {
	print(`${paint('bold', text)}\n`);
}

/** Runs a command as a user would type it. */
async function run(...args: readonly string[]): Promise<void> {
	const { main } = await import('../main.ts');
	print(paint('cyan', `$ reprise ${args.map(typed).join(' ')}`));
	await main(args);
	print('');
}

function typed(arg: string): string {
	return /^[\w./:,=-]+$/.test(arg) ? arg : `"${arg}"`;
}
