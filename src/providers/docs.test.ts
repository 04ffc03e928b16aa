/** The page about providers: every row has its proof, and its example runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../../test/support/model-server-ask.ts';
import type { Provider } from '../agent/contracts.ts';
import { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { configuredProviders } from './registry.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');

/** Rows of the tables that end with a test. */
const rows = page
	.slice(page.indexOf('## What is changed on the way'))
	.split('\n')
	.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
	.filter((cells) => cells.length === 6 && cells[4] !== 'test' && !/^-+$/.test(cells[1] ?? ''));

function problemOf([, says = '', , choice = '', proof = '']: readonly string[]): readonly string[] {
	if (proof === '—') return choice.startsWith('not done') ? [] : [`${says}: no test`];
	const [, path = '', title = ''] = /^`([^`]+\.test\.ts)`: "([^"]+)"$/.exec(proof) ?? [];
	const file = join(root, path.includes('/') ? path : `src/providers/${path}`);
	if (path === '' || !existsSync(file)) return [`${says}: no file in ${proof}`];
	return readFileSync(file, 'utf8').replaceAll("\\'", "'").includes(title)
		? []
		: [`${says}: no test "${title}" in ${path}`];
}

describe('docs/providers.md', () => {
	it('every row names a test that exists, or says that it is not done', () => {
		expect(rows.length).toBeGreaterThan(60);
		expect(rows.flatMap(problemOf)).toEqual([]);
	});

	it('every variable that is read is on the page', () => {
		const sources = ['anthropic', 'google', 'ollama', 'openai-client', 'registry'].map((name) =>
			readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8'),
		);
		const names = new Set(sources.join('\n').match(/\b(ANTHROPIC|OPENAI|GOOGLE|GEMINI|OLLAMA|REPRISE)_[A-Z_]+\b/g));
		expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
		expect(names.size).toBeGreaterThan(12);
	});

	it("a stream of one's own needs no registration", async () => {
		const echo: Provider = {
			id: 'echo',
			api: 'echo',
			async *stream(request) {
				const reply = new ReplyBuilder({ api: 'echo', provider: 'echo', model: request.model, now: Date.now() });
				yield reply.start();
				yield reply.textStart();
				yield reply.textDelta(0, `You said ${request.messages.length} things.`);
				yield reply.textEnd(0);
				yield reply.done('stop');
			},
		};
		expect(configuredProviders({}).some((one) => one.name === 'echo')).toBe(false);
		expect((await ask(echo, { model: 'any' })).message.content).toEqual([{ type: 'text', text: 'You said 1 things.' }]);
		const example = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
		const shown = readFileSync(import.meta.filename, 'utf8').replaceAll(/\s+/g, ' ');
		expect(shown).toContain(example.replaceAll(/\s+/g, ' ').trim());
	});
});
