/** Finishes drafts as messages. The profiles differ in which reply has the metrics of a turn. */
import { addUsage, type JsonObject, noUsage, objectAt } from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';
import { tokensOf } from './beside.ts';
import type { Draft, MessageContext } from './messages.ts';

export function finishMessages(drafts: readonly Draft[], context: MessageContext): readonly JsonObject[] {
	if (context.profile === 'published') sumPerTurn(drafts, context);
	return drafts.map((draft) => {
		const { id, role, content, ts, metadata, modelInfo } = draft;
		return { id, role, content, ts, metadata, modelInfo, metrics: metricsOf(draft, context) };
	});
}

/** Puts the metrics of a whole turn on its last reply, as the contract wants. */
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

function sumUp(last: Draft, earlier: readonly Draft[], context: MessageContext): void {
	let usage = last.usage;
	let cost = last.costUsd;
	for (const draft of earlier) {
		if (!draft.usage) continue;
		usage = addUsage(usage ?? noUsage, draft.usage);
		if (draft.costUsd !== undefined) cost = (cost ?? 0) + draft.costUsd;
		draft.usage = undefined;
		draft.costUsd = undefined;
		const note = 'in the contract only the last reply of a turn has metrics: added to those';
		context.lose(draft.entry.id, 'response.usage', 'approximated', note);
	}
	// The turn goes on: its last reply will have the metrics of all of it.
	if (!usage && last.entry.response?.stop === 'tool') return;
	if (!usage || cost === undefined) {
		const path = usage ? 'response.costUsd' : 'response.usage';
		context.lose(last.entry.id, path, 'invented', 'the contract wants metrics on every turn: zero');
	}
	last.usage = usage ?? noUsage;
	last.costUsd = cost ?? 0;
}

function metricsOf(draft: Draft, context: MessageContext): JsonObject | undefined {
	const usage = draft.usage;
	if (!usage) return undefined;
	const own = context.profile === 'client' && draft.entry.extra && objectAt(draft.entry.extra, 'metrics');
	return { ...tokensOf(usage), cost: draft.costUsd, ...(own && !isDeep(own) ? own : {}) };
}
