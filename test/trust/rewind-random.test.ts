/** Over random histories, files go back byte by byte to what they were before any prompt, and foreign edits are never lost. */
import { once } from 'node:events';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { randomFrom } from '../../bench/lib/random.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { ClientStage, type Frame } from '../support/client.ts';
import { entries, git, runs, type Tree, treeIn, writes } from '../support/rewinding.ts';

/** `npm run test:kill` asks for more. */
const steps = process.env.REPRISE_KILLS === undefined ? 60 : 200;
const seed = Number(process.env.REPRISE_SEED ?? 1);

const names = [
	'a.txt',
	'b.txt',
	'c.bin',
	'lib/d.ts',
	'lib/e.ts',
	'lib/deep/f.ts',
	'g',
	'h h.txt',
	'ü.txt',
	'docs/i.md',
	'j',
	'lib/k',
];

/** A command that changes something, or tries to: what fails changes nothing. */
function randomCall(random: (below: number) => number, step: number): object {
	const name = (): string => names[random(names.length)] ?? 'a.txt';
	const [one, other] = [name(), name()];
	const folder = (path: string): string => (path.includes('/') ? `mkdir -p '${path.replace(/\/[^/]*$/, '')}'; ` : '');
	const made = [
		writes(one, `written in step ${step}\n`.repeat(1 + random(30))),
		runs(`${folder(one)}printf 'step ${step}\\r\\nwith two ends\\r\\n' > '${one}'`),
		runs(`${folder(one)}echo 'more ${step}' >> '${one}'`),
		runs(`${folder(one)}head -c ${1 + random(5000)} /dev/urandom > '${one}'`),
		runs(`rm -rf '${one}'`),
		runs(`${folder(other)}mv '${one}' '${other}'`),
		runs(`${folder(other)}cp -p '${one}' '${other}'`),
		runs(`chmod ${['600', '644', '755', '664'][random(4)]} '${one}'`),
		runs(`${folder(one)}rm -rf '${one}'; ln -s '${other}' '${one}'`),
		runs(`rm -rf '${one}'; mkdir -p '${one}'; echo ${step} > '${one}/inside'`),
		runs('rm -rf lib'),
		runs(`sed -i 's/step/STEP/' '${one}'`),
		runs(`touch -d '2020-01-01' '${one}'`),
		runs(`git add -A; git -c user.name=a -c user.email=a@b commit -qm 'step ${step}'`),
		runs(
			`git add -A; git -c user.name=a -c user.email=a@b commit -qm 'step ${step}'; git checkout -qf HEAD~${1 + random(3)}`,
		),
		runs('git checkout -q main'),
		runs(`${folder(one)}rm -rf '${one}'; head -c 5242880 /dev/urandom > '${one}'`),
	];
	// Large files are rare, as they are in life.
	return made[random(20) === 0 ? made.length - 1 : random(made.length - 1)] ?? runs('true');
}

/** A session of many prompts in one process, and what the project was before each. `between` is done by somebody else before a prompt, and after the last. */
async function liveThrough(
	stage: ClientStage,
	random: (below: number) => number,
	between: (step: number) => void = () => undefined,
): Promise<readonly Tree[]> {
	const calls = Array.from({ length: steps }, (_, step) => randomCall(random, step));
	const script = stage.script(calls.flatMap((call) => [call, { text: 'Done.' }]) as unknown as ScriptInput);
	const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
	const child = stage.start(['-p', '--script', script, '--dangerously-skip-permissions', ...flags]);
	let complaint = '';
	child.stderr.on('data', (text) => {
		complaint += String(text);
	});
	const frames = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const trees: Tree[] = [];
	for (let step = 0; step < steps; step += 1) {
		between(step);
		trees.push(treeIn(stage.cwd));
		child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: `step ${step}` } })}\n`);
		for (;;) {
			const { value, done } = await frames.next();
			if (done) throw new Error(`the client ended in step ${step}: ${complaint}`);
			if ((JSON.parse(value) as Frame).type === 'result') break;
		}
	}
	between(steps);
	trees.push(treeIn(stage.cwd));
	child.stdin.end();
	await once(child, 'close');
	return trees;
}

function newStage(): ClientStage {
	const stage = new ClientStage();
	mkdirSync(stage.file('lib'));
	writeFileSync(stage.file('lib/d.ts'), 'tracked step\n');
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	return stage;
}

function randomNumbers(from: number): (below: number) => number {
	const { next } = randomFrom(from);
	return (below) => Math.floor(next() * below);
}

it(`files go back to what they were before any of ${steps} prompts`, { timeout: 600_000 }, async () => {
	using stage = newStage();
	const random = randomNumbers(seed);
	const trees = await liveThrough(stage, random);
	const prompts = await entries(stage, 'prompt');
	expect(prompts).toHaveLength(steps);
	for (let round = 0; round < 10; round += 1) {
		const at = round === 0 ? 0 : random(steps);
		const back = await stage.run(['rewind', 'last', '--to', prompts[at] ?? '', '--only-files', '-y']);
		expect([at, back.code, back.err]).toEqual([at, 0, '']);
		expect(treeIn(stage.cwd), `before prompt ${at}, seed ${seed}`).toEqual(trees[at]);
	}
	expect(await stage.run(['rewind', 'last', '--to', prompts[50] ?? '', '--only-files', '-y'])).toMatchObject({
		code: 0,
	});
	await keepsForeignEdits(stage, prompts, trees, random);
});

/** Somebody edits some files; then the session goes back elsewhere. */
async function keepsForeignEdits(
	stage: ClientStage,
	prompts: readonly string[],
	trees: readonly Tree[],
	random: (below: number) => number,
): Promise<void> {
	const edited = names.filter(
		(name) => random(3) === 0 && existsSync(stage.file(name)) && lstatSync(stage.file(name)).isFile(),
	);
	expect(edited.length, `seed ${seed}`).toBeGreaterThan(0);
	for (const name of edited) appendFileSync(stage.file(name), 'by somebody else\n');
	const mine = Object.fromEntries(edited.map((name) => [name, readFileSync(stage.file(name)).toString('latin1')]));
	const to = prompts[30] ?? '';
	const go = ['rewind', 'last', '--to', to, '--only-files', '-y', '--conflicts', 'keep'];
	expect(await stage.run(go)).toMatchObject({ code: 0 });
	for (const [name, text] of Object.entries(mine)) expect(readFileSync(stage.file(name)).toString('latin1')).toBe(text);
	const others = (tree: Tree) =>
		Object.entries(tree).filter(([path]) => !edited.some((name) => path === name || path.startsWith(`${name}/`)));
	expect(others(treeIn(stage.cwd))).toEqual(others(trees[30] ?? {}));
}

it(`what somebody else does between ${steps} prompts is never lost, and all else goes back`, {
	timeout: 600_000,
}, async () => {
	using stage = newStage();
	const random = randomNumbers(seed + 1);
	/** What somebody left in a file, and before which prompt. */
	const edits: { readonly path: string; readonly step: number; readonly form: string }[] = [];
	const trees = await liveThrough(stage, random, (step) => {
		// One file is nobody else's; the other is one that the session works on, too.
		for (const name of ['mine.txt', names[random(names.length)] ?? '']) {
			const there = lstatSync(stage.file(name), { throwIfNoEntry: false });
			if ((step < steps && random(3) > 0) || (there && !there.isFile()) || !existsSync(dirname(stage.file(name))))
				continue;
			appendFileSync(stage.file(name), `by somebody else, before step ${step}\n`);
			edits.push({ path: name, step, form: treeIn(stage.cwd)[name] ?? '' });
		}
	});
	expect(edits.length).toBeGreaterThan(steps / 5);
	const prompts = await entries(stage, 'prompt');
	let kept = 0;
	for (let round = 0; round < 6; round += 1) {
		const at = round === 0 ? 0 : random(steps);
		const before = treeIn(stage.cwd);
		const go = ['rewind', 'last', '--to', prompts[at] ?? '', '--only-files', '-y'];
		expect(await stage.run([...go, '--conflicts', 'keep'])).toMatchObject({ code: 0 });
		const after = treeIn(stage.cwd);
		const foreign = edits.filter(({ step }) => step > at);
		// A file that nobody has changed since they did stays so.
		const theirs = foreign.filter(({ path, step, form }) => trees.slice(step).every((tree) => tree[path] === form));
		kept += theirs.length;
		for (const { path, form } of theirs) expect([path, after[path]], `to ${at}, seed ${seed}`).toEqual([path, form]);
		const isTouched = (path: string): boolean =>
			foreign.some((edit) => [path, edit.path].some((one, n, both) => `${both[1 - n]}/`.startsWith(`${one}/`)));
		const others = (tree: Tree) => Object.entries(tree).filter(([path]) => !isTouched(path));
		expect(others(after), `to ${at}, seed ${seed}`).toEqual(others(trees[at] ?? {}));
		expect(await stage.run(['rewind', 'last', '--undo', '-y', '--conflicts', 'keep'])).toMatchObject({ code: 0 });
		expect(treeIn(stage.cwd)).toEqual(before);
	}
	expect(kept).toBeGreaterThan(0);
});
