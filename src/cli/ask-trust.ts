/** The question whether a folder is trusted, on a terminal: it names everything that would count. */
import type { Waiting } from '../host/project-offers.ts';
import { askLine } from './ask.ts';
import { visible } from './permission-text.ts';
import { paint, tellPart } from './writer.ts';

/** Undefined: the question was left without an answer, and is asked again another time. */
export async function askTrust(cwd: string, waiting: readonly Waiting[]): Promise<boolean | undefined> {
	const lines = waiting.flatMap(({ what, items }) => [
		`  ${paint('bold', what)}`,
		...items.flatMap((item) =>
			visible(item)
				.split('\n')
				.map((line) => `  │ ${line}`),
		),
	]);
	tellPart(
		`${paint('bold', visible(cwd))} brings this, which counts only if you trust the folder:\n${lines.join('\n')}\n`,
	);
	const answer = await askLine('Do you trust it? It can then run commands as you. y yes, Enter no: ');
	return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
}
