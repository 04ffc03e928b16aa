/** Blocks of a reply that is still being received, for formats in which a reply is one record. */
import { responseKey } from '../../model/index.ts';
import type { Draft } from './draft.ts';

export interface Ready {
	/** What can be written. */
	readonly drafts: readonly Draft[];
	/** What waits for the rest of its reply. */
	readonly open: readonly Draft[];
}

/** Sorts new drafts behind those that wait. A reply is whole when it says why it stopped, or when something else follows. */
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

/** Which reply a draft is a block of. Without the provider's id nobody could tell that the next one belongs to it. */
function replyOf(draft: Draft): string | undefined {
	if (draft.kind !== 'message' || draft.role !== 'assistant' || draft.audience === 'user') return undefined;
	return draft.response && responseKey(draft.response);
}
