/** What bin/reprise.js loads: Node is told where compiled code is kept before the rest of us is compiled. */
import { keepCompiled } from './compiled.ts';

export async function main(args: readonly string[]): Promise<number> {
	keepCompiled();
	const program = await import('./main.ts');
	return await program.main(args);
}
