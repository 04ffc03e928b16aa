/**
 * Makes few files of the command line in dist/cli: `node scripts/bundle.ts`. Loading hundreds of modules one by one takes Node longer
 * than most commands take. What the library exports is compiled file by file, and dependencies stay where they are installed.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';

const root = join(import.meta.dirname, '..');

/** All in one folder: what files read beside themselves is found from each of them. */
const options = {
	ssr: true,
	target: 'node22',
	minify: false,
	outDir: 'dist/cli',
} satisfies InlineConfig['build'];

const common: InlineConfig = { root, configFile: false, logLevel: 'warn', publicDir: false };

const built = sources();

await build({
	...common,
	build: {
		...options,
		emptyOutDir: true,
		rolldownOptions: {
			input: { main: join(root, 'src/cli/main.ts') },
			output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
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
