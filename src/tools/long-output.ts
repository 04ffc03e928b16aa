/** Output that is too long for the conversation: a file beside the session has it (its name), the model gets its beginning (how much). */
import { join } from 'node:path';
import type { ToolContext } from '../agent/contracts.ts';
import { sizeOf } from './files.ts';

/** How many characters of it the model is shown. */
const preview = 2000;

/** Where the output of this call goes. Ids are the model's: one that is no plain name, or comes again, must not lead elsewhere. */
export async function outputPath({ callId, host, outputFolder }: ToolContext): Promise<string> {
	const name = /^[A-Za-z0-9_-]{1,64}$/.test(callId) ? callId : host.randomHex(16);
	const path = join(outputFolder, `${name}.txt`);
	return (await host.files.stat(path)) ? join(outputFolder, `${name}-${host.randomHex(8)}.txt`) : path;
}

/** What the model is told instead: where all of it is, or as much as was `kept`, and how it begins. */
export function keptElsewhere(start: string, length: number, path: string, kept = 'Full output'): string {
	const cut = start.slice(0, preview);
	const line = cut.lastIndexOf('\n');
	const first = line > preview / 2 ? cut.slice(0, line) : cut;
	return `<persisted-output>\nOutput too large (${sizeOf(length)}). ${kept} saved to: ${path}\n\nPreview (first 2KB):\n${first}\n...\n</persisted-output>`;
}

/** The text, or what stands for it where it is longer than that. */
export async function shownOrKept(text: string, most: number, context: ToolContext): Promise<string> {
	if (text.length <= most) return text;
	const path = await outputPath(context);
	await context.host.files.append(path, text);
	return keptElsewhere(text, text.length, path);
}
