/** Every sample of the format's document, as a session of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readThenWriteGivesTheSameBytes } from '../../../test/support/laws.ts';
import type { Entry, Session } from '../../model/index.ts';
import { checkBytes, issuesIn } from '../shared/check/check.ts';
import { clido } from './index.ts';

const folder = join(import.meta.dirname, '../../../test/seeds/clido-session-format');

/** Decodes without loss, passes the check of its profile without an issue, and returns the session. */
function sample(name: string): Session {
	const bytes = readFileSync(join(folder, `${name}.jsonl`));
	const session = readThenWriteGivesTheSameBytes(clido, bytes);
	expect(session.dialect).toBe('published');
	expect(session.issues).toEqual([]);
	expect(issuesIn('published', checkBytes(clido, bytes))).toEqual([]);
	expect(checkBytes(clido, bytes).filter((issue) => issue.severity === 'error')).toEqual([]);
	expect(kinds(session)).not.toContain('opaque');
	return session;
}

function kinds(session: Session): readonly string[] {
	return session.entries.map((entry) => {
		if (entry.kind === 'message') return `${entry.role} ${entry.content.map((block) => block.type).join('+')}`;
		return entry.kind === 'event' ? entry.event.type : entry.kind;
	});
}

const last = (session: Session): Entry | undefined => session.entries.at(-1);

it('the sample of meta', () => {
	expect(kinds(sample('line-types-meta'))).toEqual(['start']);
});

it('the sample of user_message', () => {
	expect(kinds(sample('line-types-user-message'))).toEqual(['start', 'user text']);
});

it('the sample of assistant_message', () => {
	expect(kinds(sample('line-types-assistant-message'))[2]).toBe('assistant text+tool_call');
});

it('the sample of tool_call', () => {
	expect(kinds(sample('line-types-tool-call'))[3]).toBe('call');
});

it('the sample of tool_result', () => {
	const [, , , , result] = sample('line-types-tool-result').entries;
	expect(result?.kind === 'message' && result.content).toMatchObject([
		{ durationMs: 8, file: { path: 'src/parser.rs', mtimeNs: '1742560200000000000' } },
	]);
});

it('the samples of system', () => {
	expect(last(sample('line-types-system-compaction'))).toMatchObject({
		kind: 'compaction',
		summary: 'Context compacted: 42 turns → 1 summary (saved ~18,000 tokens)',
	});
	expect(kinds(sample('line-types-system-error'))).toEqual([
		'start',
		'user text',
		'error',
		'notice',
		'notice',
		'assistant text',
	]);
});

it('the sample of result', () => {
	expect(last(sample('line-types-result'))).toMatchObject({ kind: 'outcome', status: 'success', costUsd: 0.0034 });
});

it('the samples of content blocks', () => {
	expect(kinds(sample('content-blocks-text')).at(-1)).toBe('assistant text');
	expect(kinds(sample('content-blocks-tool-use'))[2]).toBe('assistant tool_call');
	expect(kinds(sample('content-blocks-tool-result')).at(-1)).toBe('user tool_result');
});

it('the complete session example', () => {
	expect(kinds(sample('complete-session-example'))).toEqual([
		'start',
		'user text',
		'assistant tool_call',
		'call',
		'user tool_result',
		'assistant text',
		'outcome',
	]);
});
