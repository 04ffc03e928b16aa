/** Collects what the side files say about all messages, while the messages are written. */
import { addUsage, isPrompt, type JsonObject, noUsage, type Usage } from '../../../model/index.ts';
import { textIn } from '../../shared/write/said.ts';
import { heldCount } from '../context/runtime-messages.ts';
import type { Cut, CutIn } from './beside.ts';
import type { Draft } from './messages.ts';

export class Account {
	/** The first prompt. */
	prompt: string | undefined;
	/** The model info of the last reply that has any. */
	modelInfo: JsonObject | undefined;
	usage: Usage = noUsage;
	costUsd = 0;
	/** The time of the last message that has one. */
	time: number | undefined;
	/** The last compaction. */
	cut: CutIn | undefined;
	/** How many messages Cline counts. */
	#counted = 0;

	/** Takes in drafts and the messages made of them. */
	add(drafts: readonly Draft[], messages: readonly JsonObject[], cut: Cut | undefined): void {
		for (const draft of drafts) this.#addDraft(draft);
		if (cut) this.cut = { cut, messages, drafts, held: [], counted: this.#counted };
		for (const message of messages) this.#counted += heldCount(message);
	}

	#addDraft({ entry, modelInfo, usage, costUsd, ts }: Draft): void {
		if (this.prompt === undefined && isPrompt(entry)) this.prompt = textIn(entry);
		if (modelInfo) this.modelInfo = modelInfo;
		if (usage) this.usage = addUsage(this.usage, usage);
		this.costUsd += costUsd ?? 0;
		if (ts !== undefined) this.time = ts;
	}
}
