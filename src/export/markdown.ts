/** Writes a transcript as Markdown: the headings and words of each kind of part, and which outputs are folded. */
import { prompted } from '../codecs/shared/read/prompt-words.ts';
import type { Session } from '../model/index.ts';
import type { ChecklistItem } from './checklist.ts';
import { earlierText } from './count-text.ts';
import type { ToolPart, TranscriptPart } from './transcript.ts';

export interface MarkdownOptions {
	/** Outputs longer than this many lines are folded. */
	readonly fold: number;
	/** Put the id of each entry before what it says. */
	readonly ids?: boolean;
}

/** The Markdown in pieces, so that a long session is never held. */
export function* markdown(
	{ id, format, header }: Pick<Session, 'id' | 'format' | 'header'>,
	parts: Iterable<TranscriptPart>,
	options: MarkdownOptions,
): Generator<string, void, undefined> {
	const { title, cwd, model, created } = header;
	const facts = [
		`${format} session \`${id}\``,
		cwd === undefined ? '' : `in \`${cwd}\``,
		model === undefined ? '' : `with ${model}`,
		created === undefined ? '' : `from ${created}`,
	].filter((fact) => fact !== '');
	yield `# ${oneLine(title ?? 'Session')}\n\n${facts.join(', ')}\n`;
	yield* partsMarkdown(parts, options.fold, options.ids === true);
}

function* partsMarkdown(
	parts: Iterable<TranscriptPart>,
	fold: number,
	ids: boolean,
): Generator<string, void, undefined> {
	let named: string | undefined;
	for (const part of parts) {
		if (ids && part.from.id !== named) yield `\n${inlineCode(part.from.id)}\n`;
		named = part.from.id;
		if (part.kind === 'subagent') {
			yield `\n<details><summary>Sub-agent ${escaped(part.agent)}</summary>\n`;
			yield* partsMarkdown(part.parts, fold, ids);
			yield '\n</details>\n';
		} else yield `\n${partMarkdown(part, fold)}\n`;
	}
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function partMarkdown(part: Exclude<TranscriptPart, { kind: 'subagent' }>, fold: number): string {
	switch (part.kind) {
		case 'prompt': {
			const { text, isOutput } = prompted(part.text);
			return isOutput ? fenced(text) : `## Prompt\n\n${text}`;
		}
		case 'reply':
			return part.text;
		case 'error':
			return `**Error:** ${part.text}`;
		case 'thinking':
			return `<details><summary>Thinking</summary>\n\n${part.text}\n\n</details>`;
		case 'injected':
			return `<details><summary>Added by the client</summary>\n\n${fenced(part.text)}\n\n</details>`;
		case 'note':
			return `*${part.text}*`;
		case 'compaction':
			return `---\n\n*The conversation was compacted here.*${part.text === '' ? '' : `\n\n<details><summary>Summary</summary>\n\n${part.text}\n\n</details>`}`;
		case 'branch':
			return `*Another branch begins here; it ends at \`${part.leaf}\`.*`;
		case 'omitted':
			return `*${earlierText(part.entries)} ${part.entries === 1 ? 'is' : 'are'} left out.*`;
		case 'tool':
			return toolMarkdown(part, fold);
	}
}

function toolMarkdown(part: ToolPart, fold: number): string {
	const head = `**${part.name}** ${inlineCode(part.subject)}`;
	if (part.list && !part.isError) return `${head}\n\n${part.list.map(listItem).join('\n')}`;
	if (part.change !== undefined && !part.isError) return `${head}\n\n${fenced(part.change, 'diff')}`;
	if (part.output === undefined) return `${head}\n\n*no result was recorded*`;
	if (part.output.trim() === '') return head;
	const output = fenced(part.output);
	const lines = part.output.split('\n').length;
	if (lines <= fold) return `${head}${part.isError ? ' (failed)' : ''}\n\n${output}`;
	return `${head}${part.isError ? ' (failed)' : ''}\n\n<details><summary>${lines} lines</summary>\n\n${output}\n\n</details>`;
}

function listItem({ state, text }: ChecklistItem): string {
	const words = escaped(oneLine(text));
	return `- [${state === 'completed' ? 'x' : ' '}] ${state === 'in_progress' ? `**${words}** (in progress)` : words}`;
}

/** A fence longer than any run of backticks inside, so that the text cannot end it. */
function fenced(text: string, language = ''): string {
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function inlineCode(text: string): string {
	const ticks = '`'.repeat(longestRun(text) + 1);
	const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
	return `${ticks}${pad}${text}${pad}${ticks}`;
}

function longestRun(text: string): number {
	return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
