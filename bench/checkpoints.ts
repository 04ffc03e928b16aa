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
import type { Benchmark, Variant } from './lib/bench.ts';
import { benchFolder } from './lib/dataset.ts';

const fileCount = 20_000;
/** So many looks are measured together: one is over too soon. */
const times = 5;

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

const status: Variant = {
	name: 'git status',
	inChildren: true,
	run() {
		for (let n = 0; n < times; n += 1) spawnSync('git', ['status'], { cwd: project() });
		return undefined;
	},
};

const unchanged: Variant = {
	name: 'both looks around a command that changed nothing, the first of a run among them',
	goal: { ratio: 3 },
	inChildren: 'too',
	async run() {
		const files = projectFiles();
		for (let n = 0; n < times; n += 1) {
			const before = await files.look();
			const changes = await files.changes(before, await files.look());
			if (changes.length > 0) throw new Error('nothing has changed');
		}
		return undefined;
	},
};

const line = '// one more line\n';

/** What is copied: the ten files, as they were and as they became. */
const changed: Variant = {
	name: 'both looks around a command that changed ten files',
	goal: { ratio: 3 },
	inChildren: 'too',
	async run() {
		const files = projectFiles();
		const paths = Array.from({ length: 10 }, (_, n) => join(project(), 'src', `part${n}`, `file${n}.ts`));
		for (let n = 0; n < times; n += 1) {
			const before = await files.look();
			for (const path of paths) appendFileSync(path, line);
			const changes = await files.changes(before, await files.look());
			if (changes.length !== paths.length) throw new Error(`${changes.length} files have changed`);
		}
		spawnSync('git', ['checkout', '-f', '.'], { cwd: project() });
		return undefined;
	},
	/** Kilobytes on disk. */
	amount() {
		const bytes = bytesIn(join(ownFolder(), 'copies'));
		rmSync(ownFolder(), { recursive: true, force: true });
		return bytes / 1000;
	},
};

export const benchmark: Benchmark = {
	title: 'Checkpoints',
	about:
		`Before and after every command that may write, the files of the project are looked at, here a repository of ${fileCount.toLocaleString('en')} files. ` +
		`The bound is \`git status\` there. Each line is ${times} commands; the first look of a run reads what git has noted of all files, the others only what is new. `,
	groups: [{ title: `${times} commands`, variants: [status, unchanged, changed] }],
};
