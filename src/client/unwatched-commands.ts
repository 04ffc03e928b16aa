/** Shell commands of a session, of its user and of its sub-agents, that nobody was looking at: another client ran them, and kept nothing of what they changed. */
import { decide } from '../agent/permissions/decide.ts';
import { noRules } from '../agent/permissions/rule.ts';
import { prompted } from '../codecs/index.ts';
import { nodeHost } from '../host/node-host.ts';
import { type Entry, type EntryId, entryText, isObject, type Session, type ToolCallBlock } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import type { HistoryStep } from '../store/checkpoints/file-history.ts';

/** Those after the entry that may have written something, in the order of time. */
export async function commandsAfter(
	session: Session,
	at: EntryId,
	steps: readonly HistoryStep[],
	cwd: string,
): Promise<readonly string[]> {
	const found: string[] = [];
	for (const { command } of unwatched(session, at, steps)) if (await mayWrite(command, cwd)) found.push(command);
	return found;
}

interface Command {
	readonly command: string;
	readonly time: string;
}

function unwatched(session: Session, at: EntryId, steps: readonly HistoryStep[]): readonly Command[] {
	const watched = new Set(steps.flatMap((step) => (step.is === 'begin' ? [step.call] : [])));
	const prompts = new Set(steps.flatMap((step) => (step.is === 'prompt' ? [step.prompt] : [])));
	const from = session.entries.findLastIndex(({ id }) => id === at);
	/** When prompts were said, and whether it was to us. */
	const said: { readonly time: string; readonly isOurs: boolean }[] = [];
	const commandsIn = (entries: readonly Entry[], format: Session['format'], isOursAt: (entry: Entry) => boolean) => {
		let isOurs = false;
		return entries.flatMap((entry) => {
			if (entry.kind !== 'message') return [];
			if (prompts.has(entry.id)) isOurs = true;
			else if (entry.role === 'user' && entry.content.some(({ type }) => type === 'text')) isOurs = isOursAt(entry);
			if (entry.role === 'user' && entries === session.entries) said.push({ time: entry.time ?? '', isOurs });
			if (isOurs) return [];
			const typed = entry.role === 'user' ? prompted(entryText(entry)).command : undefined;
			if (typed !== undefined) return [{ command: typed, time: entry.time ?? '', entry }];
			return entry.content.flatMap((block): readonly (Command & { readonly entry: Entry })[] => {
				const command = block.type === 'tool_call' && !watched.has(block.id) ? commandOf(block, format) : undefined;
				return command === undefined ? [] : [{ command, time: entry.time ?? '', entry }];
			});
		});
	};
	const later = new Set(session.entries.slice(from + 1));
	const own = commandsIn(session.entries, session.format, () => false).filter(({ entry }) => later.has(entry));
	// A sub-agent has a file of its own: what it did before the entry, and at whose word, its times tell.
	const since = session.entries[from]?.time ?? '';
	const theirs = session.subagents.flatMap((agent) =>
		commandsIn(
			agent.session.entries,
			agent.session.format,
			(entry) => said.findLast(({ time }) => time <= (entry.time ?? ''))?.isOurs ?? false,
		).filter(({ time }) => time >= since),
	);
	return theirs.length === 0
		? own
		: [...own, ...theirs].sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** A command that the permission rules know to look only has changed nothing. */
async function mayWrite(command: string, cwd: string): Promise<boolean> {
	const { home, names } = nodeHost();
	const circumstances = { mode: 'default', rules: noRules, cwd, dirs: [], home, files: names } as const;
	return (await decide({ tool: 'Bash', input: { command } }, circumstances)).decision !== 'allow';
}

function commandOf({ name, input }: ToolCallBlock, format: Session['format']): string | undefined {
	const call = (isObject(input) && translateCall({ name, input }, format, 'claude-code')) || { name, input };
	const isCommand = call.name === 'Bash' && isObject(call.input) && typeof call.input.command === 'string';
	return isCommand && isObject(call.input) ? String(call.input.command) : undefined;
}
