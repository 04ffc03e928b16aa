/** Whether a folder is trusted, asked in plain lines on a terminal: the wording, that Enter is a no, and that no answer leaves it undecided. */
import type { Waiting } from '../../host/settings/project-offers.ts';
import { prose } from '../../terminal/prose.ts';
import { fitting, framed, questionWidth } from '../../terminal/question-frame.ts';
import { paint, tellPart } from '../../terminal/writer.ts';
import { askLine } from './ask.ts';

/** Undefined: the question was left without an answer, and is asked again another time. */
export async function askTrust(cwd: string, waiting: readonly Waiting[]): Promise<boolean | undefined> {
	const rest = ' brings this, which counts only if you trust the folder:';
	const folder = fitting(cwd, questionWidth() - rest.length);
	const bold = (line: string): string => paint('bold', line);
	const lines = [
		...(folder === undefined ? [...framed(cwd, bold), prose(rest.trim(), questionWidth() - 1)] : [bold(folder) + rest]),
		...waiting.flatMap(({ what, items, shown = items }) => [
			`  ${bold(what)}`,
			...shown.flatMap((item) => framed(item)),
		]),
	];
	tellPart(`${lines.join('\n')}\n`);
	const answer = await askLine('Do you trust it? It can then run commands as you. y yes, Enter no: ');
	return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
}
