/** The compiled scanner is the one in the source, and where it cannot run nothing is lost. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileModule, modules } from '../../scripts/build-scan.ts';

afterEach(() => {
	vi.unstubAllGlobals();
	vi.resetModules();
});

async function engineHere(): Promise<string> {
	vi.resetModules();
	const { createScanner, planPaths } = await import('./index.ts');
	return createScanner(planPaths(['type'])).engine;
}

describe('the compiled scanner', () => {
	it.each(modules)('is what its source compiles to: $source', async (module) => {
		expect(readFileSync(module.path, 'utf8')).toBe(await compileModule(module));
	});

	it('runs here', async () => {
		expect(await engineHere()).toBe('wasm');
	});

	it('gives way to JavaScript where there is no WebAssembly', async () => {
		vi.stubGlobal('WebAssembly', undefined);
		expect(await engineHere()).toBe('js');
	});

	it('gives way to JavaScript where it does not compile', async () => {
		const real = globalThis as unknown as { WebAssembly: { CompileError: new (message: string) => Error } };
		const { CompileError } = real.WebAssembly;
		class Module {
			constructor() {
				throw new CompileError('Wasm SIMD unsupported');
			}
		}
		vi.stubGlobal('WebAssembly', { Module });
		expect(await engineHere()).toBe('js');
	});

	it('throws where it is demanded and cannot run', async () => {
		vi.stubGlobal('WebAssembly', undefined);
		vi.resetModules();
		const { createScanner, planPaths } = await import('./index.ts');
		expect(() => createScanner(planPaths(['type']), { engine: 'wasm' })).toThrow(/SIMD/);
	});
});
