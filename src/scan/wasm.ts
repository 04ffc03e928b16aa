/** Running the compiled modules. */

/** What is used of the WebAssembly global, which the types of Node leave out. */
interface Wasm {
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Instance: new (module: object) => { readonly exports: object };
}

export interface Memory {
	readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

const page = 1 << 16;

/** Each compiled once. */
const compiled = new Map<string, object>();

/**
 * A module with its own memory of at least `bytes`. Undefined where WebAssembly or its SIMD instructions are missing, or no
 * memory is left for it.
 */
export function instantiate<E extends Memory>(module: string, bytes: number): E | undefined {
	const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
	if (wasm === undefined) return undefined;
	try {
		const code = compiled.get(module) ?? new wasm.Module(Buffer.from(module, 'base64'));
		compiled.set(module, code);
		const exports = new wasm.Instance(code).exports as E;
		makeRoom(exports, bytes);
		return exports;
	} catch (error) {
		// CompileError without SIMD, RangeError without address space, EvalError where policy forbids: JavaScript takes over.
		if (error instanceof Error) return undefined;
		throw error;
	}
}

/** Makes the memory that large; all views of it have to be made anew. */
export function makeRoom({ memory }: Memory, bytes: number): void {
	const missing = bytes - memory.buffer.byteLength;
	if (missing > 0) memory.grow(Math.ceil(missing / page));
}
