/** The texts that a model gets in place of anything but an ordinary message: around pi’s summaries, for shell commands that the user ran, for results that never came. */
import { isObject, type Json, type JsonObject } from '../model/index.ts';

/** The text for a result that never came. */
export const unanswered = 'No result provided';

/** The text for a shell command that the user ran. */
export function shellText(message: JsonObject): string {
	const output = typeof message.output === 'string' ? message.output : '';
	let text = `Ran \`${plain(message.command)}\`\n`;
	text += output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``;
	const code = message.exitCode;
	if (message.cancelled === true) text += '\n\n(command cancelled)';
	else if (typeof code === 'number' && code !== 0) text += `\n\nCommand exited with code ${code}`;
	if (message.truncated === true && typeof message.fullOutputPath === 'string') {
		text += `\n\n[Output truncated. Full output: ${message.fullOutputPath}]`;
	}
	return text;
}

export function compactionText(summary: string): string {
	return `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`;
}

export function branchText(summary: string): string {
	return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`;
}

/** The text of a system message: its content followed by its sections; a section that is null was removed. */
export function systemText(message: JsonObject): string {
	const parts = [contentText(message.content)];
	if (isObject(message.sections)) {
		for (const section of Object.values(message.sections)) if (typeof section === 'string') parts.push(section);
	}
	return parts.filter((part) => part !== '').join('\n\n');
}

function contentText(content: Json | undefined): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	const texts: string[] = [];
	for (const block of content as readonly Json[]) {
		if (isObject(block) && block.type === 'text' && typeof block.text === 'string') texts.push(block.text);
	}
	return texts.join('\n');
}

function plain(value: Json | undefined): string {
	return typeof value === 'string' ? value : '';
}
