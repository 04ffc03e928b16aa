/**
 * Makes few files of the command line in dist/cli: `node scripts/bundle.ts`. Loading hundreds of modules one by one takes Node longer
 * than most commands take. What the library exports is compiled file by file, and dependencies stay where they are installed.
 */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

await build({
	root,
	configFile: false,
	logLevel: 'warn',
	publicDir: false,
	build: {
		ssr: true,
		target: 'node22',
		minify: false,
		outDir: 'dist/cli',
		emptyOutDir: true,
		rolldownOptions: {
			input: {
				main: join(root, 'src/cli/main.ts'),
				'scan-worker': join(root, 'src/catalog/cost/scan-worker.ts'),
			},
			// All in one folder: what they read beside themselves is found from each of them.
			output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
		},
	},
});
