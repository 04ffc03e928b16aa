/** A file that may not be read, named inside a command or a program that another program is given: never unasked. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell commands.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowedCases } from '../support/allowed.ts';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

let scratch: Scratch;
let home: string;
let project: string;

beforeAll(() => {
	scratch = scratchMachine();
	home = join(scratch.root, 'home');
	project = join(home, 'project');
	mkdirSync(join(project, '.git'), { recursive: true });
	for (const name of ['a', '.env']) writeFileSync(join(project, name), 'x\n');
});
afterAll(() => scratch[Symbol.dispose]());

function decisions(commands: readonly string[], deny: readonly string[] = ['Read(.env)']): readonly string[] {
	const file = join(scratch.root, 'cases.jsonl');
	const rules = { allow: ['Bash'], deny };
	const lines = commands.map((command) => JSON.stringify({ mode: 'default', rules, tool: 'Bash', input: { command } }));
	writeFileSync(file, lines.join('\n'));
	const answers = allowedCases(file, { cwd: project, home });
	return commands.map((command, index) => `${answers[index]?.decision}: ${command}`);
}

const hidden = [
	"git difftool -y -x 'cat .env' HEAD",
	"git difftool -y -x 'cat .e*' HEAD",
	"git rebase -x 'cat .env' HEAD",
	"git -c alias.x='!cat .env' x",
	"git -c core.pager='cat .env' log",
	'git bisect run cat .env',
	"git submodule foreach 'cat ../.env'",
	"git filter-branch --tree-filter 'cat .env'",
	"git grep -O'cat .env' a",
	"git clone -u 'cat .env' . z",
	"git clone -c core.sshCommand='cat .env' ssh://x/y z",
	"git config alias.x '!cat .env'",
	'git commit -F .env',
	'git tag -F.env v1',
	"ssh localhost 'cat .env'",
	'ssh localhost "cat $PWD/.env"',
	"ssh localhost <<< 'cat .env'",
	'docker run -v "$PWD:/x" alpine cat /x/.env',
	"make --eval='x:;cat .env' x",
	"tar cf x.tar a --checkpoint=1 --checkpoint-action=exec='cat .env'",
	`rsync -e 'sh -c "cat .env"' a b:c`,
	"vim -c '!cat .env' -c q",
	"vim -es -c 'r .env' -c '%p' -c q",
	`awk 'BEGIN{while((getline l<".env")>0)print l}'`,
	`awk 'BEGIN{system("cat .env")}'`,
	"sed '1e cat .env' a",
	"sort --compress-program='cat .env' a",
	"rg --pre 'cat .env' x",
	"less '+!cat .env' a",
	`perl -e 'open F,".env";print <F>'`,
	`node -e 'console.log(require("fs").readFileSync(".env","utf8"))'`,
	`python3 -c "print(open('./.env').read())"`,
	`python3 <<'P'\nprint(open(".env").read())\nP`,
	`echo 'print(open(".env").read())' | python3`,
	"echo 'cat .env' | sh",
	"GIT_EXTERNAL_DIFF='cat .env' git diff",
	"npx -c 'cat .env'",
	"env -S 'cat .env'",
	"watch 'cat .env'",
	"echo x | xargs -I{} sh -c 'cat .env'",
];

it('a file that a rule denies is not read by a command that another one is given', () => {
	expect(decisions(hidden).filter((answer) => !/^(ask|deny): /.test(answer))).toEqual([]);
});

it('without that rule the same commands run, and with it so do those that only speak of the file', () => {
	const without = decisions(hidden, []).filter((answer) => !answer.startsWith('allow: '));
	expect(without).toEqual([]);
	const harmless = [
		"git commit -m 'Ignore .env'",
		"git -C . commit -m 'Ignore .env'",
		"git commit -F - <<< 'about .env'",
		'git check-ignore -v .env',
		'git push -u origin main',
		"git difftool -y -x 'cat a' HEAD",
		"echo 'copy .env.example to .env'",
		"cat > a.md <<< 'copy .env'",
		"gh pr create --title x --body 'reads .env now'",
		"node -e 'console.log(process.env.HOME)'",
		"jq '.env | keys' a.json",
		"sed -i 's/x/process.env/' a",
		'npm run build -- --mode=production',
		'ssh localhost ls',
	];
	expect(decisions(harmless)).toEqual(harmless.map((command) => `allow: ${command}`));
});
