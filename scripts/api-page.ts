/** What the package exports, door by door, asked of the compiler: the data behind docs/api.md and the test of the doors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	API,
	type Checker,
	NodeBuilderFlags,
	type Project,
	SymbolFlags,
	type Symbol as TypeSymbol,
} from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '..');

export interface Door {
	/** What an import names: `reprise`, `reprise/tools` … */
	readonly name: string;
	/** The file that it is, from the project's folder on. */
	readonly source: string;
	/** The first line of that file. */
	readonly about: string;
	readonly exports: readonly Exported[];
}

export interface Exported {
	readonly name: string;
	readonly kind: 'function' | 'class' | 'value' | 'type';
	/** The first sentence of its comment. */
	readonly about: string;
	/** How a function is called; undefined for what is none. */
	readonly call: string | undefined;
	/** Where it is declared, from the project's folder on. */
	readonly file: string;
	/** True where every program has another thing of that name without importing it. */
	readonly shadows: boolean;
}

/** The doors as package.json names them, each with the source that it is built from. */
export function doorSources(): readonly { readonly name: string; readonly source: string }[] {
	const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		exports: { readonly [subpath: string]: string | { readonly types: string } };
	};
	return Object.entries(exports).flatMap(([subpath, target]) => {
		if (typeof target === 'string') return [];
		const source = target.types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');
		return [{ name: join('reprise', subpath), source }];
	});
}

export function readDoors(): readonly Door[] {
	const api = new API({ cwd: root });
	try {
		const config = join(root, 'tsconfig.build.json');
		using snapshot = api.updateSnapshot({ openProjects: [config] });
		const project = snapshot.getProject(config);
		if (!project) throw new Error(`the compiler does not open ${config}`);
		return doorSources().map(({ name, source }) => readDoor(project, name, source));
	} finally {
		api.close();
	}
}

function readDoor({ program, checker }: Project, name: string, source: string): Door {
	const file = program.getSourceFile(join(root, source));
	const module = file && checker.getSymbolAtLocation(file);
	if (!module) throw new Error(`${name}: ${source} is not there or exports nothing`);
	const exports = checker.getExportsOfModule(module).map((symbol) => describe(checker, symbol));
	const [about = ''] = /(?<=^\/\*\* ).*?(?= \*\/$)/m.exec(readFileSync(join(root, source), 'utf8')) ?? [];
	return { name, source, about, exports: exports.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function describe(checker: Checker, symbol: TypeSymbol): Exported {
	const meant = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	const [declared] = meant.declarations;
	const kind = kindOf(meant);
	const path = declared?.path ?? '';
	return {
		name: symbol.name,
		kind,
		about: firstSentence(checker.getDocumentationCommentOfSymbol(meant)),
		call: kind === 'function' ? callOf(checker, meant) : undefined,
		file: path.slice(path.toLowerCase().indexOf('/src/') + 1),
		shadows: checker.resolveName(symbol.name, SymbolFlags.Type | SymbolFlags.Value) !== undefined,
	};
}

function kindOf({ flags }: TypeSymbol): Exported['kind'] {
	if (flags & SymbolFlags.Function) return 'function';
	if (flags & SymbolFlags.Class) return 'class';
	return flags & SymbolFlags.Variable ? 'value' : 'type';
}

function callOf(checker: Checker, symbol: TypeSymbol): string | undefined {
	const type = checker.getTypeOfSymbol(symbol);
	return (
		type && checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation).replaceAll('<ArrayBufferLike>', '')
	);
}

function firstSentence(comment: string): string {
	const text = comment.replaceAll(/\s+/g, ' ').trim();
	return /^.*?[.:!?](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

/** docs/api.md: one part per door. */
export function apiPage(): string {
	const doors = readDoors();
	const parts = [
		'# The library',
		'',
		'What `import … from` each name gives. Everything is typed; the first sentence of each comment is here, the rest is in your editor.',
		'One program per name runs in [docs/examples](examples). This page is made from the types by `npm run docs`.',
	];
	const model = new Set(doors.find(({ name }) => name === modelDoor)?.exports.map(({ name }) => name));
	for (const { name, about, exports } of doors) {
		const inner = name === 'reprise' ? exports.filter((one) => !model.has(one.name)) : exports;
		const also = inner.length < exports.length ? ` It also gives all of \`${modelDoor}\`.` : '';
		parts.push('', `## ${name}`, '', `${about}${also}`);
		parts.push(...calls(inner.filter(({ kind }) => kind === 'function')));
		parts.push(...table('value', inner, ['class', 'value']), ...table('type', inner, ['type']));
	}
	return `${parts.join('\n')}\n`;
}

const modelDoor = 'reprise/model';

function calls(functions: readonly Exported[]): readonly string[] {
	if (functions.length === 0) return [];
	const rows = functions.map(({ name, call = '', about }) => `| \`${name}\` | ${cell(about)} | \`${cell(call)}\` |`);
	return ['', '| function | what it does | type |', '|---|---|---|', ...rows];
}

function table(head: string, exports: readonly Exported[], kinds: readonly Exported['kind'][]): readonly string[] {
	const chosen = exports.filter(({ kind }) => kinds.includes(kind));
	if (chosen.length === 0) return [];
	const named = chosen.filter(({ about }) => about !== '');
	const others = chosen.filter(({ about }) => about === '').map(({ name }) => `\`${name}\``);
	const rows = named.map(({ name, about }) => `| \`${name}\` | ${cell(about)} |`);
	return [
		...(rows.length > 0 ? ['', `| ${head} | what it is |`, '|---|---|', ...rows] : []),
		...(others.length > 0 ? ['', `${rows.length > 0 ? 'And' : 'Types:'} ${others.join(', ')}.`] : []),
	];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
