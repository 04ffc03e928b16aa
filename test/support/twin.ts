/** Scripted work that the real Claude Code and Reprise have both done, and what is compared of it. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject, type Json } from '../../src/model/index.ts';
import { corpusRoot } from './corpus.ts';
import { scratchMachine } from './scratch.ts';

export interface TwinStep {
	readonly prompt: string;
	readonly args?: readonly string[];
	/** Commands of somebody else, run before the prompt. */
	readonly outside?: readonly (readonly string[])[];
	readonly turns: readonly TwinTurn[];
}

export interface TwinTurn {
	readonly content?: readonly { readonly type: string; readonly id?: string }[];
}

export interface TwinCase {
	/** The versions that have its tools; both where it is left out. */
	readonly clients?: readonly string[];
	readonly about: string;
	readonly files?: { readonly [path: string]: string };
	readonly steps: readonly TwinStep[];
}

/** What counts: how each prompt ended, which calls failed, and what the files are in the end. */
export interface Observed {
	readonly exits: readonly (number | string)[];
	readonly failed: { readonly [call: string]: boolean };
	readonly files: { readonly [path: string]: string };
	/** What the model was told about each call, with names for folders and ids. */
	readonly texts?: { readonly [call: string]: string };
}

export const twinFolder = join(corpusRoot, 'twin');

export function twinCases(): readonly string[] {
	return readdirSync(twinFolder)
		.filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'))
		.map((name) => basename(name, '.json'))
		.sort();
}

/** The versions of the client that have the tools of a case. */
export function clientsOf(name: string): readonly string[] {
	return workOf(name).clients ?? ['2.1.29', '2.1.325'];
}

function workOf(name: string): TwinCase {
	return JSON.parse(readFileSync(join(twinFolder, `${name}.json`), 'utf8')) as TwinCase;
}

/** Long texts by their beginning and a sum of all of it. */
export function shortened(texts: { readonly [call: string]: string }): { readonly [call: string]: string } {
	const short = (text: string): string =>
		text.length <= 4000 ? text : `${text.slice(0, 200)}… sha256:${createHash('sha256').update(text).digest('hex')}`;
	return Object.fromEntries(Object.entries(texts).map(([call, text]) => [call, short(text)]));
}

/** Calls whose texts differ from those of the version that Reprise follows, each with the row of docs/tools.md that says why. */
export function knownDifferences(): { readonly [name: string]: { readonly [call: string]: string } } {
	return JSON.parse(readFileSync(join(corpusRoot, 'twin-differences.json'), 'utf8'));
}

/** The calls about which the model was told something else. */
export function otherTexts(ours: Observed, real: Observed): readonly string[] {
	const theirs = real.texts ?? {};
	return Object.keys(theirs).filter((call) => settled(theirs[call]) !== settled(ours.texts?.[call]));
}

/** Without what depends on the Node that runs a script. The client's own reminders take blanks at the beginning with them. */
function settled(told: string | undefined): string | undefined {
	return told
		?.trimStart()
		.replaceAll(/^ +at .*node:internal.*\n/gm, '')
		.replaceAll(/Node\.js v[\d.]+/g, 'Node.js');
}

/** What the real clients did, by version. */
export function recorded(name: string): { readonly [version: string]: Observed } {
	return JSON.parse(readFileSync(join(twinFolder, `${name}.expected.json`), 'utf8'));
}

/** Each point in which `ours` is like none of the real clients. */
export function unlike(ours: Observed, real: readonly Observed[]): readonly string[] {
	const found: string[] = [];
	const compare = (what: string, get: (one: Observed) => Json | undefined): void => {
		const mine = get(ours);
		if (real.some((one) => get(one) === mine)) return;
		const theirs = real.map((one) => JSON.stringify(get(one) ?? null)).join(' or ');
		found.push(`${what}: ${JSON.stringify(mine ?? null)}, not ${theirs}`);
	};
	const keysOf = (get: (one: Observed) => object): readonly string[] => [
		...new Set([ours, ...real].flatMap((one) => Object.keys(get(one)))),
	];
	for (const step of keysOf(({ exits }) => exits))
		compare(`exit of prompt ${Number(step) + 1}`, (one) => one.exits[Number(step)]);
	for (const call of keysOf(({ failed }) => failed)) compare(`failure of ${call}`, (one) => one.failed[call]);
	for (const path of keysOf(({ files }) => files)) compare(`file ${path}`, (one) => one.files[path]);
	return found;
}

const bin = join(import.meta.dirname, '../../bin/reprise.js');

/** Does the work with our own command, against the script itself. */
export async function play(name: string): Promise<Observed> {
	const work = workOf(name);
	using scratch = scratchMachine();
	const cwd = realpathSync(scratch.folder('proj/demo-app'));
	const { PATH, REPRISE_TESTS_COMPILED: NODE_COMPILE_CACHE } = process.env;
	const env = { ...scratch.machine.env, PATH, NODE_COMPILE_CACHE, HOME: scratch.home, NO_COLOR: '1' };
	for (const [path, content] of Object.entries(work.files ?? {})) {
		mkdirSync(dirname(join(cwd, path)), { recursive: true });
		writeFileSync(join(cwd, path), content);
	}
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', ...args], { cwd, env });
	git('init', '-qb', 'main');
	git('add', '-A');
	git('commit', '-qm', 'start', '--allow-empty');
	// The real client runs what a project says under -p, trusted or not; ours only where the user trusts it.
	const trusted = { projects: { [cwd]: { hasTrustDialogAccepted: true } } };
	mkdirSync(join(scratch.home, '.claude'), { recursive: true });
	writeFileSync(join(scratch.home, '.claude/.claude.json'), JSON.stringify(trusted));
	const exits: number[] = [];
	for (const [index, step] of numbered(work.steps, cwd).entries()) {
		for (const [program = '', ...args] of step.outside ?? []) execFileSync(program, args, { cwd, env });
		const script = join(scratch.root, `script-${index}.json`);
		writeFileSync(script, JSON.stringify({ turns: step.turns, default: { text: 'TWIN-END' } }));
		const go = [...(index > 0 ? ['-c'] : []), '-p', step.prompt, ...(step.args ?? []), '--script', script];
		const child = spawn(process.execPath, [bin, ...go], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
		const [code] = await Promise.all([new Promise<number>((done) => child.on('close', done)), text(child.stderr)]);
		exits.push(code);
	}
	const results = resultsIn(join(scratch.home, '.claude/projects'));
	const of = <T>(get: (result: Result) => T): { readonly [call: string]: T } =>
		Object.fromEntries(results.map((result) => [result.call, get(result)]));
	const texts = shortened(of(({ text: told }) => named(told, scratch.home, scratch.root)));
	return { exits, failed: of(({ failed }) => failed), files: filesIn(cwd), texts };
}

/** Calls get the ids that they have in the recordings; `{cwd}` is the project's folder. */
function numbered(steps: readonly TwinStep[], cwd: string): readonly TwinStep[] {
	let calls = 0;
	const filled = JSON.parse(JSON.stringify(steps).replaceAll('{cwd}', cwd)) as readonly TwinStep[];
	const named = (block: { readonly type: string; readonly id?: string }) => {
		if (block.type !== 'tool_use') return block;
		calls += 1;
		return { ...block, id: block.id ?? `toolu_twin_${calls}` };
	};
	return filled.map((step) => ({
		...step,
		turns: step.turns.map((turn) => (turn.content ? { ...turn, content: turn.content.map(named) } : turn)),
	}));
}

interface Result {
	readonly call: string;
	readonly failed: boolean;
	readonly text: string;
}

function resultsIn(projects: string): readonly Result[] {
	const results: Result[] = [];
	for (const file of readdirSync(projects, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.jsonl')) continue;
		for (const line of readFileSync(join(projects, file), 'utf8').split('\n')) {
			const value: Json = line === '' ? null : JSON.parse(line);
			const message = isObject(value) ? value.message : undefined;
			const content = isObject(message) && Array.isArray(message.content) ? (message.content as readonly Json[]) : [];
			for (const block of content) {
				if (!isObject(block) || block.type !== 'tool_result') continue;
				results.push({ call: String(block.tool_use_id), failed: block.is_error === true, text: toldIn(block.content) });
			}
		}
	}
	return results;
}

function toldIn(content: Json | undefined): string {
	if (typeof content === 'string') return content;
	const blocks = Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
	return blocks.map(({ type, text: told }) => (typeof told === 'string' ? told : `<${String(type)}>`)).join('');
}

/** As the recordings have it: names for folders and ids, and no reminders. */
function named(told: string, home: string, root: string): string {
	return told
		.replace(/\s*<system-reminder>[\s\S]*?<\/system-reminder>\n*/g, '')
		.replaceAll(home, '{home}')
		.replaceAll(root, '{tmp}')
		.replaceAll(root.replaceAll(/[^a-zA-Z0-9]/g, '-'), '{tmp-slug}')
		.replace(/(ID: |tasks\/|tool-results\/|agentId: |to: ')[a-z0-9]{6,18}\b/g, '$1{id}')
		.replace(/duration_ms: \d+/g, 'duration_ms: {n}')
		.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{uuid}');
}

/** Text as it is, a digest of what is long or no text, links by their target, and whether a file can be run. */
function filesIn(cwd: string, folder = cwd): { readonly [path: string]: string } {
	const found: { [path: string]: string } = {};
	for (const item of readdirSync(folder, { withFileTypes: true })) {
		const path = join(folder, item.name);
		if (item.isDirectory()) {
			if (item.name !== '.git') Object.assign(found, filesIn(cwd, path));
		} else found[relative(cwd, path)] = item.isSymbolicLink() ? `link:${readlinkSync(path)}` : fileAt(path);
	}
	return found;
}

function fileAt(path: string): string {
	if (!existsSync(path)) return 'special';
	const bytes = readFileSync(path);
	const text = bytes.toString('utf8');
	const isText = bytes.length <= 4000 && Buffer.from(text).equals(bytes);
	const shown = isText ? text : `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
	return lstatSync(path).mode & 0o100 ? `+x ${shown}` : shown;
}
