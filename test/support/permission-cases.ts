/** The measured permission decisions of the real client, in folders like those they were measured in. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../src/model/index.ts';
import { corpusRoot } from './corpus.ts';

export interface PermissionCase {
	readonly id: string;
	readonly version: string;
	readonly mode: string;
	readonly rules: { readonly [kind: string]: readonly string[] };
	readonly tool: string;
	readonly input: { readonly [key: string]: Json };
	readonly decision: 'allow' | 'ask' | 'deny';
}

export function permissionCases(version: string): readonly PermissionCase[] {
	const cases = JSON.parse(
		readFileSync(join(corpusRoot, 'permissions/cases.json'), 'utf8'),
	) as readonly PermissionCase[];
	return cases.filter((one) => one.version === version);
}

const projectFiles =
	'a.txt b.txt x.json x.sh n.ipynb src/e.txt src/e2.txt src/e3.txt src/n.ipynb sub/x.txt sub/.env sub/key.pem sub/deep/x secrets/a x/secrets/a private/x locked/e.txt careful/e.txt other/x lib/x docs/x .env .env.local key.pem';
const otherFiles =
	'tmp/outside/f.txt tmp/outside/d/g.txt tmp/outside/key.pem tmp/outside/src/x tmp/extra/f.txt home/dev/sibling/f.txt home/dev/.ssh/id home/dev/.zshrc home/dev/notes/x';
const links = {
	link: 'a.txt',
	envlink: '.env',
	seclink: 'secrets',
	srclink: 'src',
	locklink: 'locked',
	outlink: '/tmp/outside',
	filelink: '/tmp/outside/f.txt',
	'src/out': '/tmp/outside',
};

/** Makes the folders of the corpus below `root`, and says where the project is. */
export function permissionFolders(root: string): { readonly home: string; readonly project: string } {
	const home = join(root, 'home/dev');
	const project = join(home, 'proj');
	const paths = [...otherFiles.split(' '), ...projectFiles.split(' ').map((path) => `home/dev/proj/${path}`)];
	for (const path of paths) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), 'x\n');
	}
	for (const [name, to] of Object.entries(links)) symlinkSync(to.startsWith('/') ? root + to : to, join(project, name));
	for (const name of ['hello', 'plain', 'pre-one', 'bad', 'hello2', 'withtools']) {
		const folder = join(project, '.claude/skills', name);
		mkdirSync(folder, { recursive: true });
		const tools = name === 'withtools' ? 'allowed-tools: Bash(foo:*)\n' : '';
		writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n${tools}---\nBody.\n`);
	}
	return { home, project };
}

/** The case with its absolute paths below `root`. A rule that begins with one slash is not absolute. */
export function caseBelow(root: string, { rules, ...rest }: PermissionCase): Json {
	const inRule = /\/\/(?=(home\/dev|tmp\/outside|tmp\/extra)\/)/g;
	const inText = /(?<=^|[\s"'=:<>(])(?=\/(home\/dev|tmp\/outside|tmp\/extra)(\/|\s|$|"))/g;
	const moved = (value: Json): Json => {
		if (typeof value === 'string') return value.replaceAll(inText, root);
		if (Array.isArray(value)) return value.map(moved);
		if (value === null || typeof value !== 'object') return value;
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moved(item ?? null)]));
	};
	const movedRules = Object.fromEntries(
		Object.entries(rules).map(([kind, texts]) => [kind, texts.map((text) => text.replaceAll(inRule, `/${root}/`))]),
	);
	return { ...(moved(rest as unknown as Json) as object), rules: movedRules } as Json;
}
