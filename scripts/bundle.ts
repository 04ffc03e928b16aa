/**
 * Makes few files of the command line in dist/cli: `node scripts/bundle.ts`. Loading hundreds of modules one by one takes Node longer
 * than most commands take. What the library exports is compiled file by file, and dependencies stay where they are installed.
 */
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
