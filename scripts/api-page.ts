/** What the package exports, door by door, asked of the compiler: the data behind docs/api.md and the test of the doors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, type Checker, type Project, SymbolFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '..');

export interface Door {
	/** What an import names: `reprise`, `reprise/tools` … */
	readonly name: string;
	/** The first line of its file. */
	readonly about: string;
	readonly exports: readonly Exported[];
}

export interface Exported {
	readonly name: string;
	readonly kind: 'function' | 'class' | 'value' | 'type';
	/** The first sentence of its comment. */
	readonly about: string;
	/** How a function is called. */
	readonly calls: readonly string[];
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
	return { name, about, exports: exports.sort((a, b) => (a.name < b.name ? -1 : 1)) };
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
		calls: kind === 'function' ? callsOf(checker, meant) : [],
		file: path.slice(path.toLowerCase().indexOf('/src/') + 1),
		shadows: checker.resolveName(symbol.name, SymbolFlags.Type | SymbolFlags.Value) !== undefined,
	};
}

function kindOf({ flags }: TypeSymbol): Exported['kind'] {
	if (flags & SymbolFlags.Function) return 'function';
	if (flags & SymbolFlags.Class) return 'class';
	return flags & SymbolFlags.Variable ? 'value' : 'type';
}

function callsOf(checker: Checker, symbol: TypeSymbol): readonly string[] {
	const type = checker.getTypeOfSymbol(symbol);
	return type ? [checker.typeToString(type)] : [];
}

function firstSentence(comment: string): string {
	const text = comment.replaceAll(/\s+/g, ' ').trim();
	return /^.*?[.:!?](?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}
