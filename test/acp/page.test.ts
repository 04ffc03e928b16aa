/** docs/acp.md says of every method and update of the protocol what becomes of it, and is right. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { TestEditor } from '../support/editor.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/acp.md'), 'utf8');
const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

/** The rows of the table below a heading, by their first cell. */
function rows(heading: string): ReadonlyMap<string, string> {
	const part = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
	return new Map(Array.from(part.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm), ([, name = '', said = '']) => [name, said]));
}

const known = Object.values(methods.agent).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)));

describe('docs/acp.md', () => {
	it('has every method of the protocol, and those that it has are answered', async () => {
		const told = rows('What an editor may ask for');
		expect([...told.keys()].sort()).toEqual([...known].sort());
		await using editor = new TestEditor(stage, { script: [] });
		await editor.initialize();
		for (const [method, said] of told) {
			if (method === methods.agent.session.cancel) continue;
			const answer = await editor.agent.request(method, { wrong: true }).catch((error: { code: number }) => error.code);
			expect([method, answer === -32601]).toEqual([method, /^no\b/.test(said)]);
		}
	});

	it('has every update of the protocol, and those that it has are sent', () => {
		const schema = JSON.parse(
			readFileSync(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8'),
		) as { $defs: { SessionUpdate: { oneOf: { properties: { sessionUpdate: { const: string } } }[] } } };
		const kinds = schema.$defs.SessionUpdate.oneOf.map(({ properties }) => properties.sessionUpdate.const);
		const told = rows('What an editor is told');
		expect([...told.keys()].sort()).toEqual([...kinds].sort());
		const code = readdirSync(join(root, 'src/acp'))
			.map((name) => readFileSync(join(root, 'src/acp', name), 'utf8'))
			.join('\n');
		for (const [kind, said] of told) expect([kind, code.includes(`'${kind}'`)]).toEqual([kind, said !== 'never']);
	});
});
