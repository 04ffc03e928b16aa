/** Tells the model instructions that hold for a file when it has read that file, once in a conversation, and in which words (`host/project/recall.ts` finds them). */
import type { Conversation, Recalled } from '../config.ts';
import type { PendingCall, ToolOutput } from '../contracts.ts';
import type { HookScene } from '../hooks/run-hooks.ts';
import { textOf } from '../recording/blocks.ts';
import type { Turn } from '../turn.ts';

const name = 'recalled instructions';

export async function recall(
	{ tool }: PendingCall,
	{ file, isError }: ToolOutput,
	{ config, conversation, journal, turn }: HookScene & { readonly turn: Turn },
): Promise<void> {
	if (!config.recall || !file || isError || tool.effect !== 'read') return;
	const memories = await config.recall(file.path, toldIn(conversation));
	if (memories.length === 0) return;
	await journal.recalled(memories);
	turn.asides.push(...memories.map(asReminder));
	config.observe?.({ type: 'recalled', memories });
}

/** A conversation that is gone on with has been told what stands in it; what was compacted away is told again. */
function toldIn({ kept, messages }: Conversation): Set<string> {
	const found = kept.get(name);
	if (found instanceof Set) return found;
	const made = new Set<string>();
	for (const message of messages) {
		const [, path] = (message.role === 'user' && reminder.exec(textOf(message.content))) || [];
		if (path !== undefined) made.add(path);
	}
	kept.set(name, made);
	return made;
}

const reminder = /^<system-reminder>\nContents of (.+), which hold for files that you have read:\n/;

function asReminder({ path, content }: Recalled): string {
	return `<system-reminder>\nContents of ${path}, which hold for files that you have read:\n\n${content}\n</system-reminder>`;
}
