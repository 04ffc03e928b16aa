/** Hooks that object to what was done or said: by their exit code and by their answer, at every point that hears of it. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, command, type Handler, HookRuns, prints, skip, toolTexts } from '../support/hooks.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: ClientStage;
let runs: HookRuns;
beforeEach(() => {
	stage = new ClientStage();
	runs = new HookRuns(stage);
});
afterEach(() => stage[Symbol.dispose]());

const why = 'not in this house';
const ways: readonly (readonly [string, Handler])[] = [
	['exit code 2', command(`echo ${why} >&2; exit 2`)],
	['an answer', prints({ decision: 'block', reason: why })],
];

describe.each(ways)('by %s', (_, handler) => {
	it('PostToolUse undoes nothing, and the model is told', async () => {
		runs.hooks({ PostToolUse: [handler] });
		const { code, lines } = await runs.run([bash('touch made')], skip);
		expect(code).toBe(0);
		expect(existsSync(stage.file('made'))).toBe(true);
		expect(toolTexts(lines)).toContain(why);
	});

	it('UserPromptSubmit keeps a prompt from everybody, and the user is told', async () => {
		runs.hooks({ UserPromptSubmit: [handler] });
		await using server = await startModelServer({ turns: [{ text: 'done' }] });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		const { code, err } = await stage.run(['-p', 'my own words'], { env });
		expect(code).toBe(1);
		expect(err).toContain('the prompt was stopped by a hook');
		expect(err).toContain(why);
		expect(server.requests).toEqual([]);
		expect(await stage.sessions()).toEqual([]);
	});

	it('Stop lets the model go on, and it is told why', async () => {
		runs.hooks({ Stop: [{ ...handler, once: true }] });
		await using server = await startModelServer({
			turns: [{ text: 'done' }, { text: 'really' }],
			fallback: { text: 'x' },
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		await stage.run(['-p', 'go'], { env });
		expect(JSON.stringify(server.requests[1]?.body)).toContain(why);
	});
});
