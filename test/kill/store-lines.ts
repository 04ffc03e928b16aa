/** What the writers of the store's kill test write, and what must be there in the end. */
import type { SessionKey } from '../../src/session-store/contract.ts';

/** Two writers share a transcript; the third has its own. */
export function sessionOf(writer: string): SessionKey {
	return { projectKey: 'kill', sessionId: writer === 'c' ? 'alone' : 'shared' };
}

export function lineOf(writer: string, n: number): string {
	const own = n % 3 === 0 ? '' : `"uuid":"${writer}-${n}",`;
	return `{"type":"user",${own}"writer":"${writer}","n":${n},"text":"${'x'.repeat((n * 37) % 300)}"}`;
}
