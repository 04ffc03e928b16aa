/** The messages as a client gives them to an API's wire, and reasons why it would never send them. */
import { isObject, type JsonObject } from '../../../model/index.ts';
import { plainMessage, type Target, type Turn } from '../../../wires/prepare.ts';
import type { ContextOptions } from '../../shared/context/context.ts';
import { cleanHistory } from './hygiene.ts';
import type { ContextMessages } from './messages.ts';

export interface Ready {
	/** `from` holds indexes into the found messages. */
	readonly turns: readonly Turn[];
	readonly refused?: string;
}

/** The model to ask when none is named: the one that answered last. */
export function targetOf(found: ContextMessages, options: Pick<ContextOptions, 'target' | 'api'>): Target {
	const { provider, model } = options.target ?? found;
	return { provider: provider ?? '', model: model ?? '', api: options.api ?? found.api ?? 'anthropic-messages' };
}

export function readyMessages(found: ContextMessages, target: Target): Ready {
	const turns = found.messages.map(({ message }, at) => ({ message, from: [at] }));
	if (found.rules.openclaw) return { turns: cleanHistory(turns, target, found.rules) };
	if (found.detached) return { turns: [] };
	const messages = found.messages.map(({ message }) => message);
	const flawed = found.rules.modern ? isUncountable(messages) : endsUncounted(messages);
	if (!flawed) return { turns };
	return { turns, refused: 'a reply has no usage: pi fails where it counts the tokens of the conversation' };
}

/** True where pi 0.87.1 fails: it adds up the usage of every reply that is not older than what is before it. */
function isUncountable(messages: readonly JsonObject[]): boolean {
	let latest = Number.NEGATIVE_INFINITY;
	for (const message of messages) {
		if (message.role !== 'system' && plainMessage(message) === undefined) continue;
		const time = typeof message.timestamp === 'number' ? message.timestamp : Number.NaN;
		const counts = message.stopReason !== 'aborted' && message.stopReason !== 'error';
		if (message.role === 'assistant' && counts && time >= latest && !isObject(message.usage)) return true;
		latest = Math.max(latest, time);
	}
	return false;
}

/** True where pi 0.73.1 fails: it reads the usage of the last reply, unless that is older than the compaction. */
function endsUncounted(messages: readonly JsonObject[]): boolean {
	const last = messages.findLast((message) => message.role === 'assistant');
	if (!last || last.stopReason === 'error' || isObject(last.usage)) return false;
	const compaction = messages.find((message) => message.role === 'compactionSummary');
	const cut = typeof compaction?.timestamp === 'number' ? compaction.timestamp : Number.NaN;
	return !(typeof last.timestamp === 'number' && last.timestamp <= cut);
}
