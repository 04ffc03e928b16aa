/** Checkpoints: what it costs to look at a project before and after a command, against git's own look at it. */
import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ProjectFiles } from '../src/host/looks/project-files.ts';
import { Copies } from '../src/store/checkpoints/copies.ts';
import type { Benchmark, Goal, Variant } from './lib/bench.ts';
import { benchFolder } from './lib/dataset.ts';

const fileCount = 20_000;
/** The commands of a session: its first look reads more than the others. */
const many = 20;

/** A repository; made once, and older than git's own notes on it. */
function project(): string {
	const folder = join(benchFolder(), `repository-${fileCount}`);
	if (existsSync(join(folder, 'whole'))) return join(folder, 'project');
	const place = join(folder, 'project');
	for (let n = 0; n < fileCount; n += 1) {
		const inner = join(place, 'src', `part${n % 200}`);
		if (n < 200) mkdirSync(inner, { recursive: true });
		const path = join(inner, `file${n}.ts`);
		writeFileSync(path, `export const value = ${n};\n`.repeat(40));
		utimesSync(path, 1_700_000_000, 1_700_000_000);
	}
	const who = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com'];
	for (const args of [['init'], ['add', '-A'], [...who, 'commit', '-m', 'all'], ['status']])
		spawnSync('git', args, { cwd: place });
	writeFileSync(join(folder, 'whole'), '');
	return place;
}

function ownFolder(): string {
	return join(benchFolder(), `checkpoints-${process.pid}`);
}

function projectFiles(): ProjectFiles {
	return new ProjectFiles(project(), new Copies(join(ownFolder(), 'copies')), join(ownFolder(), 'seen'));
}

function bytesIn(folder: string): number {
	if (!existsSync(folder)) return 0;
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
	return files.reduce((sum, item) => sum + statSync(join(item.parentPath, item.name)).size, 0);
}

function status(times: number): Variant {
	return {
		name: 'git status',
		inChildren: true,
		run() {
			for (let n = 0; n < times; n += 1) spawnSync('git', ['status'], { cwd: project() });
			return undefined;
		},
	};
}

/** Both looks around commands that do this to the project. */
function looks(name: string, times: number, command: () => number, goal?: Goal): Variant {
	return {
		name,
		...(goal ? { goal } : {}),
		inChildren: 'too',
		async run() {
			const files = projectFiles();
			const kept = new Copies(join(ownFolder(), 'looks'));
			let touched = 0;
			for (let n = 0; n < times; n += 1) {
				const before = await files.look();
				files.keep(before, kept);
				const changed = command();
				touched += changed;
				const { changes } = await files.changes(before, await files.look());
				if (changes.length !== changed) throw new Error(`${changes.length} files have changed, and not ${changed}`);
			}
			// Ten files of a kilobyte, in every form that they had, and the parts of the look that they are in: what did not change takes
			// no room, but for the names of all files, once.
			const [copied, seen, looked] = ['copies', 'seen', 'looks'].map((part) => bytesIn(join(ownFolder(), part)));
			const changed = touched * (1000 + 10_000);
			if ((copied ?? 0) + (seen ?? 0) + (looked ?? 0) > changed + fileCount * 60)
				throw new Error(`${copied} bytes were copied, ${seen} noted of files that git has not, ${looked} of looks`);
			rmSync(ownFolder(), { recursive: true, force: true });
			// Its CPU time would be counted too, and where nothing has changed there is nothing to put back.
			if (touched > 0) spawnSync('git', ['checkout', '-f', '.'], { cwd: project() });
			return undefined;
		},
	};
}

function editTen(): number {
	for (let n = 0; n < 10; n += 1)
		appendFileSync(join(project(), 'src', `part${n}`, `file${n}.ts`), '// one more line\n');
	return 10;
}

const nothing = (): number => 0;

export const benchmark: Benchmark = {
	title: 'Checkpoints',
	about:
		`Before and after every command that may write, the files of the project are looked at, here a repository of ${fileCount.toLocaleString('en')} files. ` +
		'The bound is one `git status` there for each command. The first look of a run reads what git has noted of all files, later ones only what is new: it is told by itself below, and has no goal. ' +
		'The CPU time of git is counted on both sides.',
	groups: [
		{
			title: `${many} commands of a run`,
			variants: [
				status(many),
				looks('both looks around commands that change nothing', many, nothing, { ratio: 3 }),
				looks('both looks around commands that change ten files', many, editTen),
			],
		},
		{ title: 'The first command of a run', variants: [status(1), looks('both looks, nothing changes', 1, nothing)] },
	],
};
