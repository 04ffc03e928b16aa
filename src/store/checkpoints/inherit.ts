/** A copy of a session goes on with the file history of its original: what both of them share can be rewound from either. */
import { existsSync } from 'node:fs';
import type { Machine } from '../../codecs/index.ts';
import { type EntryId, entryText, isPrompt, type NamedSession, type Session } from '../../model/index.ts';
import { openSession } from '../reader/session-reader.ts';
import { type CopiedStep, FileHistory, type HistoryStep } from './file-history.ts';

export interface Origin {
	/** Its main file. */
	readonly path: string;
	readonly session: NamedSession;
}

export interface InheritOptions {
	readonly historyOf?: Origin | undefined;
	/** The source has checkpoints of its own client. */
	readonly hasCheckpoints: boolean;
}

/**
 * Gives a new session the steps of `historyOf`, which is its source where it is not told. The steps are copied and not shared: what
 * the original does from now on is work of somebody else for the copy, and the other way round. The contents are shared all the same.
 */
export async function inheritHistory(
	machine: Machine,
	copy: Origin,
	source: Origin,
	{ historyOf = source, hasCheckpoints }: InheritOptions,
): Promise<void> {
	const steps = new FileHistory(machine, historyOf.session).steps();
	if (steps.length === 0 && !hasCheckpoints) return;
	const named = await namesIn(copy, source === historyOf ? [source] : [source, historyOf], steps);
	const { session } = historyOf;
	const renamed = steps.map((step) =>
		'prompt' in step && step.prompt !== undefined ? { ...step, prompt: named(step.prompt, session.id) } : step,
	);
	new FileHistory(machine, copy.session).appendAll([...renamed, copiedFrom(historyOf)]);
}

export function copiedFrom({ path, session }: Origin): CopiedStep {
	return { is: 'copied', path, id: session.id, time: new Date().toISOString() };
}

/** The sessions that this one was copied from and that are there still, with the time until which it shares their past. */
export function originsIn(steps: readonly HistoryStep[]): readonly CopiedStep[] {
	return steps.filter((step): step is CopiedStep => step.is === 'copied' && existsSync(step.path));
}

/** The session that this one is a copy of, if our own data know of it. */
export function copiedOf(machine: Machine, session: NamedSession): NamedSession | undefined {
	const last = new FileHistory(machine, session).steps().findLast((step) => step.is === 'copied');
	return last?.is === 'copied' ? { format: session.format, id: last.id } : undefined;
}

/** The session in which the entries of a step are: the first that a copy was made of since, or undefined for this one. */
export function sessionOf(steps: readonly HistoryStep[], index: number): CopiedStep | undefined {
	return steps.slice(index).find((step): step is CopiedStep => step.is === 'copied');
}

/**
 * What the prompts of a history are called in the copy. Only entries that go by their line are called otherwise there: such a name is
 * given again to what follows in the copy, so one that the copy does not have keeps the session that it was given in.
 */
async function namesIn(
	copy: Origin,
	sources: readonly Origin[],
	steps: readonly HistoryStep[],
): Promise<(prompt: EntryId, of: string) => EntryId> {
	const byLine = (id: EntryId): boolean => id.startsWith('line:');
	const isNeeded = steps.some((step) => 'prompt' in step && step.prompt?.includes('line:'));
	if (!isNeeded) return (prompt) => prompt;
	const made = await openSession(copy.path, { subagents: false });
	const names = new Map<string, EntryId>();
	for (const { path, session } of sources) {
		const original = await openSession(path, { subagents: false });
		for (const [old, name] of pairs(original, made)) names.set(`${session.id}/${old}`, name);
	}
	return (prompt, of) => {
		const whole = byLine(prompt) ? `${of}/${prompt}` : prompt;
		return names.get(whole) ?? whole;
	};
}

/** The prompts with which two sessions begin in the same words. */
function pairs(one: Session, other: Session): readonly (readonly [EntryId, EntryId])[] {
	const [ones, others] = [one, other].map((session) => session.entries.filter(isPrompt));
	const found: (readonly [EntryId, EntryId])[] = [];
	for (const [index, prompt] of (ones ?? []).entries()) {
		const same = others?.[index];
		if (!same || entryText(same) !== entryText(prompt)) break;
		found.push([prompt.id, same.id]);
	}
	return found;
}
