/** The files that searches of the twin cases look through; tables make each a day younger than the one before. */
export const searched = {
	'README.md': '# Math\n\nTODO list:\n- todo one\n- Todo two\n',
	'data.json': '{"note": "TODO"}\n',
	'debug.log': 'TODO log\n',
	'dist/out.js': '// built TODO\n',
	'docs/a b.md': 'spaces TODO\n',
	'.gitignore': 'dist/\n*.log\n',
	'.hidden/secret.js': '// TODO hidden\n',
	'src/index.js': "import { add } from './lib/add.js';\n// TODO: more\nconsole.log(add(1, 2));\n",
	'src/lib/add.js': 'export function add(a, b) {\n  // TODO: check types\n  return a + b;\n}\n',
	'src/lib/deep/er/mul.js': 'export function mul(a, b) { return a * b; }\n',
	'src/lib/sub.ts': 'export function sub(a: number, b: number) {\n  return a - b;\n}\n',
	'.git/config': 'TODO\n',
};
