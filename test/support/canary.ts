/** Commands made by mutation from what rules allow, and a folder in which it shows whether one did what nobody allowed. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';

export interface CanaryCase {
	readonly mode: 'default' | 'acceptEdits';
	readonly rules: { readonly allow: readonly string[]; readonly deny: readonly string[] };
	readonly tool: 'Bash';
	readonly input: { readonly command: string };
	/** Paths that may change, from the scratch folder on. */
	readonly free: RegExp;
}

interface Kind extends Omit<CanaryCase, 'tool' | 'input'> {
	/** What is allowed, and what must not happen. */
	readonly bases: readonly string[];
	readonly payloads: readonly string[];
}

const ruled: Kind = {
	mode: 'default',
	rules: {
		allow: [
			'Bash(npm test)',
			'Bash(npm run build:*)',
			'Bash(make *)',
			'Bash(echo:*)',
			'Bash(printf:*)',
			'Bash(test:*)',
			'Bash(cargo * --check)',
			'Bash(docker*)',
			'Bash(xargs make:*)',
			'Edit(src/**)',
		],
		deny: [],
	},
	bases: [
		'npm test',
		'npm run build',
		'npm run build --all',
		'make all',
		'echo hi',
		'printf hi',
		'test -f a.txt',
		'cargo fmt --check',
		'docker ps',
		'ls',
		'cat a.txt',
		'grep -c x a.txt',
		'echo hi > src/new',
		'git status',
	],
	payloads: [
		'touch canary',
		'echo x > canary',
		'rm keep',
		'cp a.txt canary',
		'cat ../outside/secret',
		'tee canary',
		'./evil',
		'mv keep gone',
		'> canary',
		'sh -c "touch canary"',
		'cat outlink/secret',
		'touch ../outside/canary',
		'sed -i s/x/y/ keep',
	],
	free: /^project\/src\//,
};

const accepting: Kind = {
	mode: 'acceptEdits',
	rules: { allow: ['Bash(npm test:*)', 'Bash(make *)'], deny: [] },
	bases: [
		'touch new',
		'mkdir -p a/b',
		'cp a.txt b.txt',
		'mv a.txt c.txt',
		'echo x > d',
		'rm keep',
		'sed -i s/x/y/ keep',
		'npm test',
		'ls',
		'cat a.txt >> keep',
	],
	payloads: [
		'touch ../outside/canary',
		'touch .git/canary',
		'cp a.txt outlink/x',
		'echo x > outlink/y',
		'mkdir .claude/x',
		'mv a.txt ../outside',
		'touch nowhere',
		'echo x > nowhere',
		'sed -i s/x/y/ outlink/keep',
		'cp -r tree t2 && touch t2/out/x',
		'echo x > .bashrc',
		'cp a.txt into',
		'cp a.txt .git/',
		'rm outlink/keep',
		'rm -r .git',
		'mv tree t3 && echo x > t3/out/z',
		'touch sub/../../outside/q',
		'touch outlink/../q',
		'cd ../outside && touch q',
		'cat outlink/secret',
		'cp outlink/secret s && cat s',
		'touch filelink',
	],
	free: /^project\/(?!\.git|\.claude|\.bashrc)/,
};

const denying: Kind = {
	mode: 'default',
	rules: { allow: ['Bash'], deny: ['Bash(killer:*)', 'Edit(locked/**)', 'Read(secret.txt)'] },
	bases: ['npm test', 'echo hi', 'ls', 'true', 'make all'],
	payloads: [
		'killer x',
		'killer',
		'"killer" x',
		'kill\\er x',
		'./bin/killer x',
		'touch locked/x',
		'echo x > locked/x',
		'cp a.txt locked',
		'tee locked/x',
		'cat secret.txt',
		'head ./secret.txt',
		'cd locked && touch y',
		'sed -i s/x/y/ locked/f',
	],
	free: /^project\/(?!locked|killed)/,
};

/** B is what is allowed, P what must not happen. Those without P are there to be allowed. */
const forms: readonly string[] = [
	'B; P',
	'B && P',
	'P || B',
	'B | P',
	'B |& P',
	'B & P',
	'B\nP',
	'P; B',
	'B $(P)',
	'B `P`',
	'B "$(P)"',
	'B <(P)',
	'B >(P)',
	'B ${x:-$(P)}',
	'B ${x:=$(P)}',
	"x='$(P)'; B ${x@P}",
	'B $((a[$(P)]))',
	"x='a[$(P)]'; B $((x))",
	"x='a[$(P)]'; [[ x -eq 1 ]]",
	'B $[a[$(P)]]',
	'B <<EOF\n$(P)\nEOF',
	'B <<< "$(P)"',
	'(P); B',
	'{ P; }; B',
	'if P; then B; fi',
	'if B; then P; fi',
	'for i in $(P); do B; done',
	'for i in 1; do P; done',
	'while P; do break; done',
	'until P; do break; done',
	'case $(P) in *) B;; esac',
	'case x in *) P;; esac',
	'f() { P; }; f',
	'ls() { P; }; ls',
	'function echo { P; }; echo',
	'eval P',
	"eval 'P'",
	'trap "P" EXIT; B',
	"trap 'P' DEBUG; B",
	'env P',
	'command P',
	'exec P',
	'builtin eval "P"',
	"bash -c 'P'",
	"sh -c 'B; P'",
	'xargs P < a.txt',
	'ls | xargs -n1 P',
	'find . -maxdepth 0 -exec P \\;',
	'find . -maxdepth 0 -exec sh -c "P" \\;',
	'A=$(P) B',
	'A=1 P',
	'timeout 5 P',
	'nice P',
	'nohup P',
	'stdbuf -o0 P',
	'time P',
	'! P',
	'coproc P; wait',
	'coproc { P; }; wait',
	'B > canary',
	'B >> canary',
	'B &> canary',
	'B 2> canary',
	'B >| canary',
	'B <> canary',
	'B >& canary',
	"B $'\\n'P",
	"$'\\x50'",
	'B #\nP',
	'B \\\nP',
	'B\r\nP',
	'[[ -n $(P) ]]',
	"[[ 'a[$(P)]' -eq 1 ]]",
	"test -v 'a[$(P)]'",
	"[ -v 'a[$(P)]' ]",
	"printf -v 'a[$(P)]' x",
	"let 'a[$(P)]'",
	"declare -i 'x=a[$(P)]'",
	'a[$(P)]=1',
	'declare x=$(P)',
	'export x=$(P)',
	"read 'a[$(P)]' < a.txt",
	"unset 'a[$(P)]'",
	'(( a[$(P)] ))',
	'for ((i=$(P); i<1; i++)); do B; done',
	'select x in 1; do P; done < a.txt',
	'PATH=.; ls',
	'for PATH in .; do ls; done',
	'PATH=. ls',
	'./ls',
	'shopt -s expand_aliases\nalias zz="P"\nzz',
	'. ./evil',
	'source ./evil',
	'python3 -c \'import os; os.system("P")\'',
	'set -- P; "$@"',
	'C="P"; $C',
	'C="P"; eval "$C"',
	'{P,}',
	'B; { B; P; } | cat',
	'B "${x:-`P`}"',
	'B "$(cat <<EOF\n$(P)\nEOF\n)"',
	'diff <(P) <(B)',
	'B {a,$(P)}',
	"env -S 'P'",
	'B; if false; then B; else P; fi',
	'exec 3> canary; B',
	'echo P | sh',
	'sh <<< "P"',
	"sh <<'EOF'\nP\nEOF",
	'B "P"',
	"B 'P'",
	'B # P',
	"B <<'EOF'\nP\nEOF",
	'B; echo P',
	'# P\nB',
	'B "$(cat <<\'EOF\'\nP\nEOF\n)"',
	'B',
	'B; B',
	'B && B',
	'B || B',
	'B | cat',
	'timeout 5 B',
	'nice -n 3 B',
	'cd sub && B',
	'B 2>&1',
	'B > /dev/null',
	'if B; then B; fi',
	'! B',
	'B; ls *.txt',
	'NODE_ENV=x B',
	'B < a.txt',
	'B -- -x',
	'B *',
	'B a\\;b',
];

/** Small changes of spelling that change nothing for a shell, or nearly nothing. */
const spellings: readonly ((command: string) => string)[] = [
	(command) => command,
	(command) => ` ${command} `,
	(command) => command.replace(' ', '  '),
	(command) => command.replace(' ', '\t'),
	(command) => command.replace(' ', ' \\\n'),
	(command) => command.replace(/^(\w)(\w*)/, "'$1'$2"),
	(command) => command.replace(/^(\w)(\w*)/, '$1\\$2'),
	(command) => command.replace(/^(\w+)/, '"$1"'),
	(command) => `${command};`,
	(command) => `${command} # x`,
];

/** Whoever allows all of Bash allows what programs in other languages do: no rule for commands sees into them. */
function formsOf({ rules }: Pick<Kind, 'rules'>): readonly string[] {
	return rules.allow.includes('Bash') ? forms.filter((form) => !form.startsWith('python3')) : forms;
}

function filled(form: string, base: string, payload: string): string {
	return form.replaceAll(/\bP\b|\bB\b/g, (sign) => (sign === 'P' ? payload : base));
}

const aCase: fc.Arbitrary<CanaryCase> = fc
	.constantFrom(ruled, accepting, denying)
	.chain(({ bases, payloads, ...kind }) =>
		fc
			.record({
				outer: fc.constantFrom(...formsOf(kind)),
				inner: fc.option(fc.constantFrom(...formsOf(kind)), { nil: undefined, freq: 2 }),
				base: fc.constantFrom(...bases),
				payload: fc.constantFrom(...payloads),
				spelling: fc.constantFrom(...spellings),
			})
			.map(({ outer, inner, base, payload, spelling }) => {
				const first = inner === undefined ? base : filled(inner, base, payload);
				return { ...kind, tool: 'Bash' as const, input: { command: spelling(filled(outer, first, payload)) } };
			}),
	);

export function canaryCases(count: number, seed: number): readonly CanaryCase[] {
	const seen = new Set<string>();
	return fc
		.sample(aCase, { numRuns: count * 4, seed })
		.filter(({ mode, input, rules }) => {
			const key = JSON.stringify([mode, input, rules]);
			return !seen.has(key) && seen.add(key);
		})
		.slice(0, count);
}

/** A project with everything that must not be touched, and programs that stand for real ones. */
export class CanaryFolder {
	readonly root: string;
	readonly project: string;
	readonly #fresh: string;

	constructor(root: string) {
		this.root = join(root, 'run');
		this.project = join(this.root, 'project');
		this.#fresh = join(root, 'fresh');
		this.#make();
		this.reset();
	}

	#make(): void {
		const file = (path: string, text: string, mode = 0o644): void => {
			const full = join(this.#fresh, path);
			mkdirSync(join(full, '..'), { recursive: true });
			writeFileSync(full, text);
			chmodSync(full, mode);
		};
		for (const path of [
			'a.txt',
			'keep',
			'sub/f',
			'src/f',
			'locked/f',
			'.git/config',
			'.claude/settings.json',
			'tree/f',
			'into/f',
		])
			file(`project/${path}`, 'x\n');
		file('project/secret.txt', 'TOPSECRET\n');
		for (const path of ['evil', 'ls']) file(`project/${path}`, '#!/bin/sh\n: > canary\n', 0o755);
		file('project/bin/killer', '#!/bin/sh\n: > "$KILLED"\n', 0o755);
		file('outside/secret', 'TOPSECRET\n');
		file('outside/keep', 'x\n');
		for (const name of ['npm', 'make', 'cargo', 'docker']) file(`bin/${name}`, '#!/bin/sh\necho ran\n', 0o755);
		file('bin/killer', '#!/bin/sh\n: > "$KILLED"\n', 0o755);
		const links = {
			outlink: '../outside',
			filelink: '../outside/keep',
			nowhere: '../outside/made',
			'tree/out': '../../outside',
			'into/a.txt': '../../outside/keep',
		};
		for (const [name, to] of Object.entries(links)) symlinkSync(to, join(this.#fresh, 'project', name));
	}

	reset(): void {
		rmSync(this.root, { recursive: true, force: true });
		cpSync(this.#fresh, this.root, { recursive: true, verbatimSymlinks: true });
	}

	/** What the command did that nobody allowed, after running it for real. */
	damage({ input, free }: CanaryCase): readonly string[] {
		const before = this.#state();
		const { stdout } = spawnSync('/bin/bash', ['-c', input.command], {
			cwd: this.project,
			env: {
				PATH: `${join(this.root, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
				HOME: this.root,
				KILLED: join(this.project, 'killed'),
			},
			input: '',
			encoding: 'utf8',
			timeout: 1000,
			killSignal: 'SIGKILL',
		});
		const after = this.#state();
		const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
			(path) => before.get(path) !== after.get(path),
		);
		if (changed.length > 0) this.reset();
		const touched = changed.filter((path) => !free.test(path));
		return stdout?.includes('TOPSECRET') ? [...touched, 'a secret was printed'] : touched;
	}

	/** Links are not followed: what is behind them is outside, and told there. */
	#state(folder = this.root, into = new Map<string, string>()): ReadonlyMap<string, string> {
		for (const item of readdirSync(folder, { withFileTypes: true })) {
			const path = join(folder, item.name);
			const name = relative(this.root, path);
			if (item.isSymbolicLink()) into.set(name, readlinkSync(path));
			else if (item.isFile()) into.set(name, `${lstatSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`);
			else if (item.isDirectory()) this.#state(path, into.set(name, 'folder'));
		}
		return into;
	}
}
