/** Compiles src/scan/assembly to WebAssembly and keeps it as text in src/scan/module.ts: `node scripts/build-scan.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
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
const source = join(folder, 'assembly/scan.ts');
export const modulePath = join(folder, 'module.ts');

/** The text of src/scan/module.ts for the scanner as it is now. Throws with the compiler's words when it does not compile. */
export async function compileScan(): Promise<string> {
	const asc = (await import(compilerName)) as Compiler;
	let wasm: Uint8Array | undefined;
	const { error, stderr } = await asc.main(
		[
			'scan.ts',
			'--outFile',
			'scan.wasm',
			'--optimizeLevel',
			'3',
			'--runtime',
			'stub',
			'--enable',
			'simd',
			'--noAssert',
		],
		{
			readFile: (name) => (name === 'scan.ts' ? readFileSync(source, 'utf8') : null),
			writeFile(name, contents) {
				if (name === 'scan.wasm') wasm = Buffer.from(contents);
			},
			listFiles: () => [],
		},
	);
	if (error !== null || wasm === undefined)
		throw new Error(`src/scan/assembly does not compile:\n${stderr.toString()}`);
	return textOf(Buffer.from(wasm));
}

function textOf(wasm: Buffer): string {
	const rows = wasm.toString('base64').match(/.{1,110}/g) ?? [];
	return [
		'/** The compiled scanner. Made from assembly/scan.ts by scripts/build-scan.ts; not to be changed by hand. */',
		'export const scanModule =',
		`${rows.map((row) => `\t'${row}'`).join(' +\n')};`,
		'',
	].join('\n');
}

if (import.meta.main) writeFileSync(modulePath, await compileScan());
