/** Drafts as finished messages. The profiles differ in who carries the metrics of a turn. */
import { addUsage, type JsonObject, objectAt, type Usage } from '../../../model/index.ts';
import { isDeep } from '../read/deep.ts';
import type { Draft, MessageContext } from './messages.ts';

export function finishMessages(drafts: readonly Draft[], context: MessageContext): readonly JsonObject[] {
	if (context.profile === 'published') sumPerTurn(drafts, context);
	return drafts.map((draft) => {
		const metrics = metricsOf(draft, context);
		return {
			id: draft.id,
			role: draft.role,
			content: draft.content,
			...(draft.ts === undefined ? {} : { ts: draft.ts }),
			...(draft.metadata ? { metadata: draft.metadata } : {}),
			...(draft.modelInfo ? { modelInfo: draft.modelInfo } : {}),
			...(metrics ? { metrics } : {}),
		};
	});
}

/** In the contract the last reply of a turn carries the metrics of all of it. */
function sumPerTurn(drafts: readonly Draft[], context: MessageContext): void {
	let turn: Draft[] = [];
	const close = () => {
		const last = turn.pop();
		if (last) sumUp(last, turn, context);
		turn = [];
	};
	for (const draft of drafts) {
		if (draft.prompt) close();
		if (draft.role === 'assistant') turn.push(draft);
	}
	close();
}

const none: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

function sumUp(last: Draft, earlier: readonly Draft[], context: MessageContext): void {
	let usage = last.usage;
	let cost = last.costUsd;
	for (const draft of earlier) {
		if (!draft.usage) continue;
		usage = addUsage(usage ?? none, draft.usage);
		if (draft.costUsd !== undefined) cost = (cost ?? 0) + draft.costUsd;
		draft.usage = undefined;
		draft.costUsd = undefined;
		const note = 'in the contract only the last reply of a turn has metrics: added to those';
		context.lose(draft.entry.id, 'response.usage', 'approximated', note);
	}
	// The turn goes on: whoever writes its last reply says what all of it has used.
	if (!usage && last.entry.response?.stop === 'tool') return;
	if (!usage || cost === undefined) {
		const path = usage ? 'response.costUsd' : 'response.usage';
		context.lose(last.entry.id, path, 'invented', 'the contract wants metrics on every turn: zero');
	}
	last.usage = usage ?? none;
	last.costUsd = cost ?? 0;
}

/** Cached tokens are part of the input here. */
function metricsOf(draft: Draft, context: MessageContext): JsonObject | undefined {
	const usage = draft.usage;
	if (!usage) return undefined;
	const cacheWriteTokens = usage.cacheWrite5m + usage.cacheWrite1h;
	const own = context.profile === 'client' && draft.entry.extra && objectAt(draft.entry.extra, 'metrics');
	return {
		inputTokens: usage.input + usage.cacheRead + cacheWriteTokens,
		outputTokens: usage.output,
		cacheReadTokens: usage.cacheRead,
		cacheWriteTokens,
		...(draft.costUsd === undefined ? {} : { cost: draft.costUsd }),
		...(own && !isDeep(own) ? own : {}),
	};
}
