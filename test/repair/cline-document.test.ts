/** Laws of a Cline document that is put together again. */
import { expect, test } from 'vitest';
import { cline } from '../../src/codecs/index.ts';
import { planRepair } from '../../src/store/repair/plan.ts';

const options = { id: '1700000000000_a', time: '2026-01-01T00:00:00.000Z', cwd: '/' };

test('a quote that is lost near the beginning costs the message that it was in, however many follow', () => {
	const messages = Array.from({ length: 3000 }, (_, at) => ({
		id: `m${at}`,
		role: 'user',
		content: [{ type: 'text', text: `number ${at}` }],
	}));
	const head = { version: 1, updated_at: options.time, agent: 'lead', sessionId: options.id };
	const whole = JSON.stringify({ ...head, messages });
	const damaged = whole.replace('"text":"number 5"', '"text":number 5"');
	const { bytes } = planRepair(cline, Buffer.from(damaged), options);
	const mended: { readonly messages: readonly unknown[] } = JSON.parse(Buffer.from(bytes).toString('utf8'));
	expect(mended.messages.length).toBeGreaterThan(2990);
});
