/** What `check` says, and how much of it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { sampleOf } from '../support/sessions.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

describe('check', () => {
	it('speaks about the client that will open the file, and about the document only when asked', async () => {
		const byDefault = await stage.run(['check', sampleOf.clido]);
		expect(byDefault).toMatchObject({ code: 0, out: `${sampleOf.clido}: no problems\n` });
		expect((await stage.run(['check', sampleOf.clido, '--profile', 'any'])).out).toContain('warning');
		expect((await stage.run(['check', sampleOf.clido, '--profile', 'published'])).out).toContain('warning');
	});

	it('counts what repeats from the third time on', async () => {
		const path = join(stage.cwd, 'broken.jsonl');
		const [meta = '', ...lines] = readFileSync(sampleOf.clido, 'utf8').trimEnd().split('\n');
		writeFileSync(path, [meta, 'a{', 'b{', 'c{', 'd{', ...lines, ''].join('\n'));
		const { code, out } = await stage.run(['check', path]);
		expect(code).toBe(1);
		expect(out.match(/this record is not JSON/g)).toHaveLength(2);
		expect(out).toMatch(/^… +error +2 more of these, the last in line 5 \[clido\/not-json\]$/m);
		expect(out).toContain(': 4 errors, ');
		const { issues } = JSON.parse((await stage.run(['check', path, '--json'])).out) as { issues: object[] };
		expect(issues.length).toBeGreaterThanOrEqual(4);
	});

	it('--all checks a whole home and ends with one line', async () => {
		cpSync(join(corpusRoot, 'claude-code/generated/mixed-home-a/home'), stage.home, { recursive: true });
		const { code, out } = await stage.run(['check', '--all']);
		expect(code).toBe(1);
		const [, sessions, subagents] =
			/^(\d+) sessions and (\d+) sub-agents? checked: 1 with errors, \d+ with warnings only$/m.exec(out) ?? [];
		const listed = JSON.parse((await stage.run(['ls', '--all', '--json'])).out) as { sessions: object[] };
		expect(Number(sessions)).toBe(listed.sessions.length);
		const document = JSON.parse((await stage.run(['check', '--all', '--json'])).out) as {
			ok: boolean;
			sessions: object[];
		};
		expect(document.ok).toBe(false);
		expect(document.sessions).toHaveLength(Number(sessions) + Number(subagents));
		expect(document.sessions[0]).toMatchObject({ path: expect.any(String), agent: 'claude-code', issues: [] });
	});

	it('wants a session or --all, and not both', async () => {
		expect(await stage.run(['check'])).toMatchObject({
			code: 2,
			out: '',
			err: 'reprise: name a session, or add --all (see reprise check --help)\n',
		});
		expect((await stage.run(['check', 'x', '--all'])).code).toBe(2);
	});
});
