/** The text of a PDF, in a thread of its own, with limits of time and memory: a file that takes for ever is given up on, and the client goes on. */
import { Worker } from 'node:worker_threads';
import type { PdfPages, PdfText } from '../agent/contracts.ts';
import { codeOf } from '../log/errors.ts';

const timeoutMs = 30_000;
const mostMemoryMb = 512;

/** Runs in the thread. It says nothing but its answer: what the library complains about would land in the user's output. */
const script = `
const { parentPort, workerData: { library, bytes, first, last } } = require('node:worker_threads');
async function read() {
	const { getDocumentProxy } = await import(library);
	const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
	const pages = [];
	for (let number = first; number <= Math.min(last, pdf.numPages); number++) {
		const { items } = await (await pdf.getPage(number)).getTextContent();
		pages.push(items.map(({ str = '', hasEOL }) => (hasEOL ? str + '\\n' : str)).join(''));
	}
	return { is: 'pages', total: pdf.numPages, pages };
}
read().then((answer) => parentPort.postMessage(answer), ({ name, message }) => parentPort.postMessage({ is: 'failed', name, message }));
`;

type Answer = PdfPages | { readonly is: 'failed'; readonly name: string; readonly message: string };

export const pdfText: PdfText = async ({ bytes, first, last }, signal) => {
	const worker = new Worker(script, {
		...{ eval: true, stdout: true, stderr: true, env: {} },
		workerData: { library: import.meta.resolve('unpdf'), bytes: new Uint8Array(bytes), first, last },
		resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
	});
	const limit = AbortSignal.timeout(timeoutMs);
	const over = AbortSignal.any([signal, limit]);
	try {
		const answer = await new Promise<Answer>((resolve, reject) => {
			worker.once('message', resolve).once('error', reject);
			over.addEventListener('abort', () => reject(new Error(why())));
			if (over.aborted) reject(new Error(why()));
		});
		return answer.is === 'pages' ? answer : { is: 'failed', why: reasons[answer.name] ?? answer.message };
	} catch (error) {
		const isMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
		return { is: 'failed', why: isMemory ? 'it takes too much memory to read' : String((error as Error).message) };
	} finally {
		await worker.terminate();
	}

	function why(): string {
		return signal.aborted ? 'the user interrupted it' : `it takes longer than ${timeoutMs / 1000} seconds to read`;
	}
};

const reasons: { readonly [name: string]: string } = {
	PasswordException: 'it is encrypted, and needs a password',
	InvalidPDFException: 'it is broken, or no PDF at all',
};
