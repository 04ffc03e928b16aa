/** What a server says of a model's window counts from when it says it, and is asked no more often than that needs. */
import { expect, it } from 'vitest';
import { HttpError } from './failures.ts';
import { ollamaWindows } from './ollama-window.ts';

const shown = { parameters: 'num_ctx 8192', model_info: new Map() };

/** Windows of a server that fails at first, and how often it was asked. */
function failing(error: Error) {
	const asked = { times: 0 };
	const window = ollamaWindows({}, async () => {
		asked.times += 1;
		if (asked.times === 1) throw error;
		return shown;
	});
	return { asked, window };
}

const refusal = (status: number, body: string): Error => new HttpError(status, body, new Headers());

it.each([
	['was not there', new TypeError('fetch failed')],
	['did not answer in time', new DOMException('timed out', 'TimeoutError')],
	['was starting', refusal(503, 'loading')],
	['did not have the model yet', refusal(404, '{"error":"model \'m\' not found"}')],
])('a server that %s is asked again', async (_, error) => {
	const { asked, window } = failing(error);
	expect(await window('m')).toBe(32_768);
	expect(await window('m')).toBe(8192);
	expect(await window('m')).toBe(8192);
	expect(asked.times).toBe(2);
});

it('an old server that knows no such call is asked once', async () => {
	const { asked, window } = failing(refusal(404, '404 page not found'));
	expect([await window('m'), await window('m')]).toEqual([32_768, 32_768]);
	expect(asked.times).toBe(1);
});
