/** Which settings a run writes into its session (model, thinking, mode), and which modes come back when it goes on: only the stricter ones. */
import type { LivePart } from '../../codecs/index.ts';
import type { HookScene } from '../hooks/run-hooks.ts';

/** Only what is new is written. A sub-agent's file says neither. */
export async function settle({ config, conversation, journal }: HookScene): Promise<void> {
	if (config.agent) return;
	const { model, provider, thinking, mode } = config;
	const now = { model, provider: provider.id, permissionMode: mode, ...(thinking === undefined ? {} : { thinking }) };
	const fresh = conversation.messages.length === 0;
	// A new file says by itself whose answers it holds.
	const known = fresh ? { ...conversation.settings, model, provider: provider.id } : conversation.settings;
	await journal.settings(now, known);
	conversation.settings = { ...conversation.settings, ...now };
}

/** True for a format in which every prompt says the mode that it was asked in. */
export function promptsSayModes({ promptFields, promptMode }: LivePart): boolean {
	const written = promptFields?.({ permissionMode: 'dontAsk' });
	return written !== undefined && promptMode?.(written) === 'dontAsk';
}

/** True for modes that hold when a session goes on: a looser one does not come back with a session. */
export function isStricter(mode: string | undefined): boolean {
	return mode === 'plan' || mode === 'dontAsk';
}
