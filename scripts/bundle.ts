/** Makes few files of the command line in dist/cli: which modules become one file, and which dependencies are bundled. */
// Run as `node scripts/bundle.ts`. Loading hundreds of modules one by one takes Node longer
// than most commands take, and so with the dependencies that most commands or most prompts load: those are bundled, too, with what
// their licences ask to go along. The others stay where they are installed. What the library exports is compiled file by file.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type InlineConfig, type PluginOption } from 'vite';

const root = join(import.meta.dirname, '..');

/** All in one folder: what files read beside themselves is found from each of them. */
const options = {
	ssr: true,
	target: 'node22',
	minify: false,
	outDir: 'dist/cli',
	license: { fileName: 'licenses.md' },
} satisfies InlineConfig['build'];

/** zod alone is a hundred files, half of them messages in languages that nobody asks for; a vendor's library is three hundred. */
const bundled = [
	'commander',
	'diff',
	'marked',
	'unbash',
	'zod',
	'openai',
	'@anthropic-ai/sdk',
	'@earendil-works/pi-tui',
];
/** What these bring along. */
const along = ['get-east-asian-width', '@opentelemetry/api', 'standardwebhooks', '@stablelib/base64', 'fast-sha256'];

/** Node makes lists of all its flags when that module is imported by name; the global is the same object, without them. */
const globalProcess: PluginOption = {
	name: 'global-process',
	transform: (code, id) =>
		id.includes('node_modules/commander/') ? code.replace(/^import process from 'node:process';$/m, '') : undefined,
};

/**
 * Node's own modules without the views that it makes of them for `import`: a view asks for every export once, and some of those load
 * others, such as streams and threads.
 */
const plainBuiltins: PluginOption = {
	name: 'plain-builtins',
	renderChunk: (code) =>
		code.replace(/^import (.*) from "(node:[^"]+)";$/gm, (_, what: string, from: string) => {
			const [, whole, named] = /^(?:(?:\* as )?([\w$]+))?(?:, )?(\{.*\})?$/.exec(what) ?? [];
			const given = [whole, named?.replaceAll(' as ', ': ')].filter((one) => one !== undefined);
			return given.map((one) => `const ${one} = process.getBuiltinModule("${from}");`).join(' ');
		}),
};

/**
 * Which files become one, as each file costs about half a millisecond: what nearly every command needs, what a prompt needs besides, and
 * what a host that sends prompts as frames needs besides that. Whatever they import goes along, but for what the groups before them have.
 */
const groups = [
	{ name: 'main', tags: ['$initial'] as '$initial'[] },
	{ name: 'program', test: source(/^src\/cli\/main\.ts$/) },
	{
		name: 'shared',
		test: source(
			/^src\/((model|wires|scan|codecs|log|store)\/|terminal\/(print|pager|question-frame|terminal-text|wrap|writer|width)\.ts$|cli\/(\w[\w-]*|ask\/ask|client\/client-flags)\.ts$|client\/commands\/called\.ts$|host\/project\/(git-branch|read-text)\.ts$)/,
		),
	},
	...['catalog', 'move', 'export'].map((name) => ({ name, test: source(new RegExp(`^src/${name}/`)) })),
	...['zod', 'diff'].map((name) => ({ name, test: source(new RegExp(`^node_modules/${name}/`)) })),
	// A host and a pipe get Markdown as it was said.
	{
		name: 'markdown',
		test: source(/^(src\/terminal\/(terminal-markdown|framed-markdown|markdown-stream)\.ts$|node_modules\/marked\/)/),
	},
	{ name: 'prompt', test: source(/^src\/cli\/client\/client-run\.ts$/) },
	{ name: 'driven', test: source(/^src\/(frames|cli\/driven)\//) },
].map((group, at, all) => ({ ...group, priority: all.length - at }));

function source(paths: RegExp): (id: string) => boolean {
	return (id) => paths.test(relative(root, id).replaceAll('\\', '/'));
}

const common: InlineConfig = {
	plugins: [globalProcess, plainBuiltins],
	root,
	configFile: false,
	logLevel: 'warn',
	publicDir: false,
	ssr: { noExternal: [...bundled, ...along] },
};

const built = sources();

await build({
	...common,
	build: {
		...options,
		emptyOutDir: true,
		rolldownOptions: {
			// What is loaded late by itself may be in a group with what loads it: then it comes along.
			checks: { ineffectiveDynamicImport: false },
			input: { main: join(root, 'src/cli/start.ts') },
			output: {
				entryFileNames: '[name].js',
				chunkFileNames: '[name]-[hash].js',
				codeSplitting: { groups },
			},
		},
	},
});

writeFileSync(join(root, options.outDir, 'sources.json'), JSON.stringify(built));

/**
 * What this is built of, by which bin/reprise.js notices that a checkout has moved on since. Taken before anything is built: a file that is
 * changed meanwhile is then newer than `at`.
 */
function sources(): {
	readonly at: number;
	readonly files: readonly (readonly [path: string, size: number, sum: string])[];
} {
	const at = Date.now();
	const paths = globSync('src/**/*.ts', { cwd: root, exclude: ['src/**/*.test.ts'] });
	return {
		at,
		files: paths.sort().map((path) => {
			const bytes = readFileSync(join(root, path));
			return [path, bytes.length, createHash('sha256').update(bytes).digest('hex')];
		}),
	};
}
