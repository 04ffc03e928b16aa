/** What somebody meets who lists and searches: names that changed, columns, what cannot be read. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';

function newStage(...scenarios: readonly string[]): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	for (const scenario of scenarios) cpSync(join(corpusRoot, scenario, 'home'), stage.home, { recursive: true });
	return stage;
}

it('a Cline session that was renamed is listed and found by its new title', async () => {
	const stage = newStage('cline/3.0.65/multi-turn-resume');
	const [id] = readdirSync(join(stage.home, '.cline/data/sessions'));
	const found = async (word: string) =>
		(
			JSON.parse((await stage.run(['search', word, '--all', '--json'])).out) as {
				hits: { title: string; role: string }[];
			}
		).hits;
	expect(await found('zebra')).toEqual([]);
	await stage.run(['rename', `${id}`, 'Zebra crossing']);
	expect(await found('zebra')).toMatchObject([{ title: 'Zebra crossing', role: 'title' }]);
	await stage.run(['rename', `${id}`, 'Okapi']);
	expect((await stage.run(['ls', '--all'])).out).toContain('Okapi');
	expect(await found('zebra')).toEqual([]);
	expect((await found('question')).filter(({ role }) => role === 'title')).toEqual([]);
	expect((await stage.run(['search', 'okapi', '--all'])).out).toMatch(/reprise show \d+$/m);
});
