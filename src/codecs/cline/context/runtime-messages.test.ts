/** The number of running messages that Cline makes of one is counted without making them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../../model/index.ts';
import { heldCount, heldMessages } from './runtime-messages.ts';

const block: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
	{ type: 'text', text: 'a' },
	{ type: 'tool_result', tool_use_id: 'c', content: '' },
	{ type: 'tool_use', id: 'c', name: 'x', input: {} },
	{ type: 'unknown' },
	7,
);
const message = fc.record({
	role: fc.constantFrom('user', 'assistant'),
	content: fc.oneof(fc.constantFrom<Json[]>('', ' ', 'text', null), fc.array(block, { maxLength: 5 })),
	metadata: fc.constantFrom<Json[]>({}, { displayOnly: true }),
});

it('as many as there are when they are made', () => {
	fc.assert(
		fc.property(message, (one) => {
			expect(heldCount(one)).toBe(heldMessages([one]).length);
		}),
	);
});
