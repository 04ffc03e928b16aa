/** The wording of a compaction: the prompt that asks for a summary with its sections, and the message that the conversation goes on from, with the user's own words. */

import { titleFrom } from '../../model/index.ts';

/** What a summary has to say, in the order of Claude Code's own. */
const sections = `1. What the user wants: every request and what is behind it, with later changes of mind.
2. Key facts: technologies, decisions, constraints and conventions that matter for what is left to do.
3. Files and code: every file that was read, made or changed, why it matters, and the code that has to be known word for word.
4. Errors: what went wrong, how it was mended, and what the user said about it.
5. Problem solving: what was found out, and what is still being looked into.
6. What the user said: each of the user's messages, in a few words (their full texts are kept beside your summary).
7. Open tasks: what was asked for and is not done.
8. Current work: exactly what was being done right before this message, with file names and code.
9. Next step: the one thing to do next, only if it follows from the user's last request; quote the words it follows from.`;

/** The request for a summary: the last message of the conversation that is summarised. */
export function summaryRequest(instructions: readonly string[]): string {
	const more = instructions.map((text) => text.trim()).filter((text) => text !== '');
	const added = more.length === 0 ? '' : `\n\nAdditional instructions for this summary:\n${more.join('\n\n')}`;
	return `Answer with text only and call no tool: a call would be lost.

This conversation is about to be replaced by a summary, and you will go on with the work knowing nothing but that summary. Write it so that nothing is lost that the work needs: exact names, paths, commands, numbers and wording rather than descriptions of them.

Write first <title>what the conversation is about, in at most ten words</title>, then <summary>…</summary> with these sections:

${sections}${added}`;
}

export interface Summary {
	readonly title: string | undefined;
	readonly text: string;
}

/** The parts of a reply to the request. A model that leaves the tags out has still written a summary. */
export function summaryIn(reply: string): Summary | undefined {
	const plain = reply.replaceAll(/<analysis>[\s\S]*?(<\/analysis>|$)/g, '');
	const title = /<title>([\s\S]*?)<\/title>/.exec(plain)?.[1]?.replaceAll(/\s+/g, ' ').trim();
	const inside = /<summary>([\s\S]*?)(?:<\/summary>|$)/.exec(plain)?.[1];
	const text = (inside ?? plain.replace(/<title>[\s\S]*?<\/title>/, '')).trim();
	return text === '' ? undefined : { title: title || undefined, text };
}

export interface Continuation {
	readonly summary: Summary;
	/** Everything the user said, oldest first. */
	readonly words: readonly string[];
	/** At most this many characters of them. */
	readonly mostWords: number;
	/** The file that holds the whole conversation. */
	readonly transcript: string;
	/** The model was at work, and nobody asks it to go on. */
	readonly goesOn: boolean;
}

/** The message that stands for everything before it. Clients list the session by its first line, as without a title by the first prompt. */
export function continuation({ summary, words, mostWords, transcript, goesOn }: Continuation): string {
	const parts = [
		`# ${summary.title ?? titleFrom(words[0] ?? '') ?? 'Summary of the conversation'}`,
		'This session goes on from a longer conversation that was compacted. The following stands for everything before it.',
		summary.text,
		...spoken(words, mostWords),
		`The whole conversation is in ${transcript}: look there for anything that the summary leaves out.`,
	];
	if (goesOn)
		parts.push(
			'Go on with the work where it stopped. Do not ask the user again for what is said above, and do not speak of this summary.',
		);
	return parts.join('\n\n');
}

/** The user's own words, the newest first to be kept, in the order in which they were said. */
function spoken(words: readonly string[], most: number): readonly string[] {
	const kept: string[] = [];
	let left = most;
	for (const text of words.toReversed()) {
		if (text.length > left) {
			if (left >= shortest) kept.unshift(`${text.slice(0, left)}\n[… ${text.length - left} more characters]`);
			break;
		}
		kept.unshift(text);
		left -= text.length;
	}
	if (kept.length === 0) return [];
	const missing = words.length - kept.length;
	const note = missing === 0 ? '' : ` (without the first ${missing})`;
	const said = kept.map((text) => `<user_message>\n${text}\n</user_message>`);
	return [`What the user said, word for word and in order${note}:`, said.join('\n')];
}

/** A part of a message that is shorter says nothing. */
const shortest = 200;
