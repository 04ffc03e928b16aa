/** Compiles src/scan/assembly to WebAssembly and keeps it as text in src/scan: `node scripts/build-scan.ts`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is used of the compiler. Its own declarations would replace those of Node for the whole program. */
interface Compiler {
	main(
		options: readonly string[],
		files: {
			readFile(name: string): string | null;
			writeFile(name: string, contents: string | Uint8Array): void;
			listFiles(): readonly string[];
		},
	): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}
const compilerName: string = 'assemblyscript/asc';

const folder = join(import.meta.dirname, '../src/scan');

export interface Module {
	/** Its file in src/scan/assembly. */
	readonly source: string;
	/** The file that holds it compiled. */
	readonly path: string;
	/** The constant in there, and what it is. */
	readonly name: string;
	readonly about: string;
}

export const modules: readonly Module[] = [
	{ source: 'scan.ts', path: join(folder, 'module.ts'), name: 'scanModule', about: 'The compiled scanner.' },
];

/** The text of a module's file for its source as it is now. Throws with the compiler's words when it does not compile. */
export async function compileModule(module: Module): Promise<string> {
	const assembly = join(folder, 'assembly');
	const own = new Set(readdirSync(assembly));
	const asc = (await import(compilerName)) as Compiler;
	let wasm: Uint8Array | undefined;
	const { error, stderr } = await asc.main(
		[
			module.source,
			'--outFile',
			'module.wasm',
			'--optimizeLevel',
			'3',
			'--runtime',
			'stub',
			'--enable',
			'simd',
			'--noAssert',
		],
		{
			readFile: (name) => (own.has(name) ? readFileSync(join(assembly, name), 'utf8') : null),
			writeFile(name, contents) {
				if (name === 'module.wasm') wasm = Buffer.from(contents);
			},
			listFiles: () => [],
		},
	);
	if (error !== null || wasm === undefined)
		throw new Error(`src/scan/assembly/${module.source} does not compile:\n${stderr.toString()}`);
	return textOf(module, Buffer.from(wasm));
}

function textOf({ source, name, about }: Module, wasm: Buffer): string {
	const rows = wasm.toString('base64').match(/.{1,110}/g) ?? [];
	return [
		`/** ${about} Made from assembly/${source} by scripts/build-scan.ts; not to be changed by hand. */`,
		`export const ${name} =`,
		`${rows.map((row) => `\t'${row}'`).join(' +\n')};`,
		'',
	].join('\n');
}

if (import.meta.main) for (const module of modules) writeFileSync(module.path, await compileModule(module));
