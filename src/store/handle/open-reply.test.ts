/** Which drafts can be written, and which wait for the rest of their reply. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { gather } from './open-reply.ts';

const block = (id: string | undefined, stop?: string): Draft => ({
	kind: 'message',
	role: 'assistant',
	content: [{ type: 'text', text: 'x' }],
	response: { ...(id === undefined ? {} : { id }), ...(stop === undefined ? {} : { stop }) },
});
const prompt: Draft = { kind: 'message', role: 'user', content: [{ type: 'text', text: 'y' }] };

test('blocks wait until one of them says why the reply stopped', () => {
	const first = gather([], [prompt, block('a'), block('a')]);
	expect(first.drafts).toEqual([prompt]);
	const then = gather(first.open, [block('a', 'end')]);
	expect(then).toEqual({ drafts: [block('a'), block('a'), block('a', 'end')], open: [] });
});

test('another reply, a prompt or a block that nobody can tell apart ends the reply before it', () => {
	for (const next of [block('b', 'end'), prompt, block(undefined)]) {
		expect(gather([block('a')], [next])).toEqual({ drafts: [block('a'), next], open: [] });
	}
	expect(gather([block('a')], [block('b')])).toEqual({ drafts: [block('a')], open: [block('b')] });
});

test('no draft is lost or moved, however the appends are cut', () => {
	const draft = fc.oneof(
		fc.constant(prompt),
		fc
			.record({ id: fc.constantFrom('a', 'b', undefined), stop: fc.constantFrom('end', undefined, undefined) })
			.map(({ id, stop }) => block(id, stop)),
	);
	fc.assert(
		fc.property(fc.array(fc.array(draft, { maxLength: 4 }), { maxLength: 8 }), (appends) => {
			const written: Draft[] = [];
			let open: readonly Draft[] = [];
			for (const drafts of appends) {
				const ready = gather(open, drafts);
				written.push(...ready.drafts);
				open = ready.open;
			}
			expect([...written, ...open]).toEqual(appends.flat());
			expect(gather([], appends.flat())).toEqual({ drafts: written, open });
		}),
	);
});
