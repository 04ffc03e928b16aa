/** Decides when a reply that is received block by block is complete and can be written, for formats in which a reply is one record. */
import { responseKey } from '../../model/index.ts';
import type { Draft } from './draft.ts';

export interface Ready {
	/** Drafts that can be written now. */
	readonly drafts: readonly Draft[];
	/** Drafts that wait for the rest of their reply. */
	readonly open: readonly Draft[];
}

/** Sorts new drafts behind the waiting ones. A reply is complete with its stop reason, or when others follow. */
export function gather(waiting: readonly Draft[], drafts: readonly Draft[]): Ready {
	const ready: Draft[] = [];
	let open: Draft[] = [...waiting];
	const close = (): void => {
		ready.push(...open);
		open = [];
	};
	for (const draft of drafts) {
		const key = replyOf(draft);
		if (key === undefined || (open[0] && replyOf(open[0]) !== key)) close();
		open.push(draft);
		if (key === undefined || (draft.kind === 'message' && draft.response?.stop !== undefined)) close();
	}
	return { drafts: ready, open };
}

/** The reply that a draft is a block of. Without the provider's id nobody could join its blocks. */
function replyOf(draft: Draft): string | undefined {
	if (draft.kind !== 'message' || draft.role !== 'assistant' || draft.audience === 'user') return undefined;
	return draft.response && responseKey(draft.response);
}
