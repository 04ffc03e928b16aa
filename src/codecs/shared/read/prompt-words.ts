/** Prompts as people typed them, without the tags that clients put around commands and files; and which were said by the client in the user's place. */
import { type Block, titleFrom } from '../../../model/index.ts';
import { splitEmbedded, withLabels } from './embedded.ts';

const command = /^\s*<command-(?:name|message)>/;
const name = /<command-name>([^<]*)<\/command-name>/;
const args = /<command-args>([\s\S]*?)<\/command-args>/;
const output = /^\s*<local-command-(?:stdout|stderr)>([\s\S]*?)<\/local-command-(?:stdout|stderr)>\s*$/;
const shellInput = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;
const shellOutput = /^\s*<bash-stdout>([\s\S]*?)<\/bash-stdout>(?:<bash-stderr>([\s\S]*?)<\/bash-stderr>)?\s*$/;
const reminder = /^\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/;
const typed = /^\s*<user_input(?: [^>]*)?>([\s\S]*?)<\/user_input>/;
/** A file that was sent with the prompt, which people write as `@path`. */
const file = /^\s*<file(?:_content)? (?:name|path)="([^"]*)">[\s\S]*?<\/file(?:_content)?>\s*/;

export interface Prompted {
	readonly text: string;
	/** True for the output of a command, which nobody typed. */
	readonly isOutput: boolean;
	/** The shell command that the text stands for: the user's own, behind `!`. */
	readonly command?: string;
}

export function prompted(whole: string): Prompted {
	const { said, embedded } = splitEmbedded(whole);
	const text = embedded.length === 0 || said.trim() === '' ? whole : withLabels(said);
	// Texts may have megabytes; nearly all begin with a word and need no more than this test.
	if (!/^\s*</.test(text)) return { text, isOutput: false };
	if (command.test(text)) {
		const called = name.exec(text)?.[1];
		if (called !== undefined)
			return { text: `${called.trim()} ${args.exec(text)?.[1]?.trim() ?? ''}`.trim(), isOutput: false };
	}
	const shell = shellInput.exec(text)?.[1];
	if (shell !== undefined) return { text: `! ${shell.trim()}`, isOutput: false, command: shell.trim() };
	const printed = output.exec(text)?.[1];
	if (printed !== undefined) return { text: printed.trim(), isOutput: true };
	const [, out, error = ''] = shellOutput.exec(text) ?? [];
	if (out !== undefined)
		return { text: [out.trim(), error.trim()].filter((one) => one !== '').join('\n'), isOutput: true };
	return { text: typedText(text), isOutput: false };
}

/** The text without what the client put around and before it, unless nothing else is left. */
function typedText(text: string): string {
	const files: string[] = [];
	let rest = text;
	for (;;) {
		const handed = file.exec(rest);
		if (handed) files.push(`@${handed[1]}`);
		const begun = handed ?? reminder.exec(rest);
		if (!begun) break;
		rest = rest.slice(begun[0].length);
	}
	const inner = typed.exec(rest);
	if (inner) rest = `${inner[1]}${rest.slice(inner[0].length)}`;
	const shown = [...files, rest.trim()].filter((part) => part !== '').join(' ');
	return shown === '' || rest === text ? text : shown;
}

/** How texts begin that clients say in the user's place: what a hook wants, and requests to go on with a reply. */
const saidByClient =
	/^(?:\w+ hook feedback:\n|Your response was cut off because it exceeded the output token limit\.|\[Your previous response had no visible output\.)/;
const toldTag = /^<(system-reminder|task-notification)>/;

/**
 * True for a message that its client said in the user's place. Formats that have no mark for that must not pass it off as the
 * user's words: a compaction quotes those.
 */
export function isTold(content: readonly Block[]): boolean {
	return content.length > 0 && content.every((block) => block.type === 'text' && isToldText(block.text));
}

function isToldText(text: string): boolean {
	if (saidByClient.test(text)) return true;
	let rest = text.trimStart();
	if (rest === '') return false;
	while (rest !== '') {
		const tag = toldTag.exec(rest)?.[1];
		const end = tag === undefined ? -1 : rest.indexOf(`</${tag}>`);
		if (tag === undefined || end < 0) return false;
		rest = rest.slice(end + tag.length + 3).trimStart();
	}
	return true;
}

/** A title from the first prompt, for a session without one. */
export function promptTitle(text: string): string | undefined {
	return titleFrom(prompted(text).text);
}
