/** Files of Claude Code with branches, pointers, cuts, notes, sub-agents and gaps, in any order: for laws about the leaf. */
import fc from 'fast-check';

export const session = '5e5510a0-0000-4000-8000-0000000000aa';
export const uuid = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** What a line follows: the last line of the conversation, any earlier one, one that is not there, or nothing. */
type Follows =
	| { readonly is: 'last' }
	| { readonly is: 'any'; readonly share: number }
	| { readonly is: 'gone' }
	| { readonly is: 'root' };

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const last = fc.constant<Follows>({ is: 'last' });
const follows = fc.oneof(
	{ weight: 12, arbitrary: last },
	{ weight: 3, arbitrary: share.map((value): Follows => ({ is: 'any', share: value })) },
	{ weight: 1, arbitrary: fc.constantFrom<Follows>({ is: 'gone' }, { is: 'root' }) },
);

interface Step {
	readonly what:
		| 'prompt'
		| 'reply'
		| 'note'
		| 'attachment'
		| 'progress'
		| 'agent'
		| 'unknown'
		| 'title'
		| 'cut'
		| 'pointer'
		| 'rewind'
		| 'nothing';
	readonly follows: Follows;
	/** For a pointer: where to. For a cut: how much of what was said it keeps; absent for nothing. */
	readonly share: number;
	readonly keeps: boolean;
	/** Its time is before that of the line above it. */
	readonly early: boolean;
}

const what = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Step['what']>('prompt') },
	{ weight: 6, arbitrary: fc.constant<Step['what']>('reply') },
	{ weight: 3, arbitrary: fc.constantFrom<Step['what']>('note', 'attachment', 'pointer', 'rewind') },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Step['what']>('progress', 'agent', 'unknown', 'title', 'cut', 'cut', 'nothing'),
	},
);

const step: fc.Arbitrary<Step> = fc.record({
	what,
	follows,
	share,
	keeps: fc.boolean(),
	early: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

type Fields = { readonly [name: string]: unknown };

class Tree {
	readonly #lines: Fields[] = [];
	/** Ids of what the conversation can go on from. */
	readonly #ids: string[] = [];
	/** Of these, messages. */
	readonly #said: string[] = [];
	#last: string | null = null;
	#count = 0;

	add({ what, follows, share, keeps, early }: Step): void {
		switch (what) {
			case 'pointer':
			case 'rewind':
				this.#point(pick(this.#ids, share) ?? uuid(0xdead), what === 'rewind');
				return;
			case 'nothing':
				this.#point(null, true);
				return;
			case 'title':
				this.#lines.push({ type: 'ai-title', aiTitle: `title ${this.#count}`, sessionId: session });
				return;
			case 'cut':
				this.#cut(keeps ? share : undefined);
				return;
		}
		this.#graph(what, this.#parent(follows), early);
	}

	bytes(): Uint8Array {
		return Buffer.from(this.#lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
	}

	#parent(follows: Follows): string | null {
		if (follows.is === 'last') return this.#last;
		if (follows.is === 'any') return pick(this.#ids, follows.share) ?? null;
		return follows.is === 'gone' ? uuid(0xbeef) : null;
	}

	#line(fields: Fields, early = false): string {
		const id = uuid(this.#count);
		const seconds = early ? 2 * this.#count - 7 : 2 * this.#count;
		this.#count += 1;
		const timestamp = new Date(Date.UTC(2026, 0, 3) + seconds * 1000).toISOString();
		this.#lines.push({ isSidechain: false, sessionId: session, cwd: '/w', ...fields, uuid: id, timestamp });
		return id;
	}

	#graph(what: Step['what'], parentUuid: string | null, early: boolean): void {
		const text = `${what} ${this.#count}`;
		const assistant = { role: 'assistant', id: `msg_${this.#count}`, model: 'claude-opus-4-5' };
		const fields: { readonly [W in string]?: Fields } = {
			prompt: { type: 'user', message: { role: 'user', content: text } },
			reply: { type: 'assistant', message: { ...assistant, content: [{ type: 'text', text }] } },
			note: { type: 'system', subtype: 'turn_duration', durationMs: 7 },
			attachment: { type: 'attachment', attachment: { type: 'date', date: '2026-01-03' } },
			progress: { type: 'progress', data: { type: 'bash_progress' }, toolUseID: 't' },
			agent: { type: 'user', isSidechain: true, agentId: 'a1', message: { role: 'user', content: text } },
			unknown: { type: 'something-new' },
		};
		const id = this.#line({ parentUuid, ...fields[what] }, early);
		if (what === 'agent') return;
		// Older clients let lines follow a progress line.
		this.#last = id;
		if (what === 'progress' || what === 'unknown') return;
		this.#ids.push(id);
		if (what === 'prompt' || what === 'reply') this.#said.push(id);
	}

	/** As the client writes it: a boundary without a parent, then the summary. */
	#cut(keeps: number | undefined): void {
		const kept = keeps === undefined ? [] : this.#said.slice(-1 - Math.floor(keeps * 3));
		const anchorUuid = uuid(this.#count + 1);
		const compactMetadata = {
			trigger: 'auto',
			...(kept.length > 0 ? { preservedMessages: { anchorUuid, uuids: kept } } : {}),
		};
		const boundary = this.#line({
			type: 'system',
			subtype: 'compact_boundary',
			parentUuid: null,
			logicalParentUuid: this.#last,
			compactMetadata,
		});
		const message = { role: 'user', content: `summary ${this.#count}` };
		const summary = this.#line({ type: 'user', parentUuid: boundary, isCompactSummary: true, message });
		this.#ids.push(summary);
		this.#said.push(summary);
		this.#last = summary;
	}

	#point(leafUuid: string | null, explicit: boolean): void {
		this.#lines.push({
			type: 'last-prompt',
			lastPrompt: '',
			leafUuid,
			...(explicit ? { explicit } : {}),
			sessionId: session,
		});
	}
}

function pick(ids: readonly string[], share: number): string | undefined {
	return ids[Math.floor(share * ids.length)];
}

/** At least one prompt, so that there is a conversation. */
export const treeFile: fc.Arbitrary<Uint8Array> = fc.array(step, { minLength: 1, maxLength: 24 }).map((steps) => {
	const tree = new Tree();
	tree.add({ what: 'prompt', follows: { is: 'root' }, share: 0, keeps: false, early: false });
	for (const one of steps) tree.add(one);
	return tree.bytes();
});
