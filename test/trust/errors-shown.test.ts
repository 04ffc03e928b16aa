/** Why a model gave no answer is not shown as if the model had said it. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { type CorpusFile, corpusFiles } from '../support/corpus.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

function recorded(format: CorpusFile['format'], version: string, scenario: string): string {
	const file = corpusFiles(format).find(
		(one) => one.version === version && one.scenario === scenario && one.role === 'main',
	);
	return file?.path ?? '';
}

/** Clido keeps no failed reply, but a line of its own. */
function failedClido(): string {
	const path = stage.file('clido.jsonl');
	const lines = [
		{ type: 'meta', session_id: 'c1', schema_version: 1, start_time: '2026-03-02T09:00:00Z', project_path: stage.cwd },
		{ type: 'user_message', role: 'user', content: [{ type: 'text', text: 'paint the shed' }] },
		{ type: 'system', subtype: 'error', message: 'fake: overloaded' },
	];
	writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
	return path;
}

describe('an error of the provider', () => {
	it.each([
		[
			'claude-code',
			() => recorded('claude-code', '2.1.325', 'api-error-terminal'),
			'✗ API Error: 400 messages.0: scripted invalid request',
		],
		['cline', () => recorded('cline', '3.0.65', 'fail-auth'), '✗ error: fake: invalid x-api-key'],
		[
			'pi',
			() => recorded('openclaw', 'pi-0.87.1', 'http-400'),
			'✗ error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"fake 400"}}',
		],
		['clido', failedClido, '✗ error: fake: overloaded'],
	])('is marked as one in a session of %s', async (_, path, line) => {
		const { out } = await stage.run(['show', path()]);
		expect(out.split('\n').filter((one) => one.includes(line.slice(-12)))).toEqual([line]);
		const { out: markdown } = await stage.run(['show', path(), '--md']);
		expect(markdown).toContain(`**Error:** ${line.replace(/^✗ (error: )?/, '')}`);
		const { parts } = JSON.parse((await stage.run(['show', path(), '--json'])).out);
		expect(parts).toContainEqual(expect.objectContaining({ kind: 'error' }));
	});
});
