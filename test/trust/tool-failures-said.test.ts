/** Whoever reads only the answer still hears that tools failed or were denied. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';

const use = (name: string, input: object) => ({ content: [{ type: 'tool_use', name, input }] });
const missing = use('Read', { file_path: 'missing.txt' });
const denied = use('Bash', { command: 'rm a.txt' });
const how = 'with --allowedTools or --permission-mode';

async function run(turns: readonly object[], ...flags: readonly string[]) {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	return await stage.run(['-p', 'x', '--script', stage.script([...turns, { text: 'done' }] as never), ...flags]);
}

describe('one line on stderr says what did not work', () => {
	it.each([
		['failures', [missing, missing], '2 tool calls failed; reprise show last shows them'],
		['one failure', [missing], '1 tool call failed; reprise show last shows it'],
		['a denial', [denied], `1 tool call was denied; allow it ${how}; reprise show last shows it`],
		['denials', [denied, denied], `2 tool calls were denied; allow them ${how}; reprise show last shows them`],
		[
			'both',
			[missing, denied, missing],
			`2 tool calls failed, 1 was denied; allow the denied one ${how}; reprise show last shows them`,
		],
	])('%s, and what helps', async (_, turns, said) => {
		expect(await run(turns)).toEqual({ code: 0, out: 'done\n', err: `reprise: ${said}\n` });
	});

	it('no flag is named where none would have helped: a hook denied it', async () => {
		const hook = { type: 'command', command: 'echo no >&2; exit 2' };
		const settings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } });
		const { err } = await run([denied], '--settings', settings);
		expect(err).toContain('1 tool call was denied; reprise show last shows it\n');
	});

	it('denials of sub-agents are counted', async () => {
		const first = (words: string) => ({ when: { first: words } });
		const task = { description: 'd', prompt: 'HELPER', subagent_type: 'general-purpose' };
		const { err } = await run([
			{ ...first('HELPER'), ...denied },
			{ ...first('HELPER'), text: 'It was not allowed.' },
			{ ...first('x'), ...use('Task', task) },
		]);
		expect(err).toContain(`1 tool call was denied; allow it ${how}; `);
	});

	it('the session that is named is the one that was written', async () => {
		const { err } = await run([missing], '--session-file', 'my own.jsonl');
		expect(err).toBe("reprise: 1 tool call failed; reprise show 'my own.jsonl' shows it\n");
	});

	it('nothing is said where nothing failed', async () => {
		expect((await run([use('Read', { file_path: 'a.txt' })])).err).toBe('');
	});

	it('--verbose shows which they were, and why', async () => {
		const { err } = await run([missing, denied], '--verbose');
		expect(err).toMatch(/^reprise: Read failed: File does not exist\.$/m);
		expect(err).not.toContain('Bash failed');
		expect(err).toMatch(/^reprise: Bash was denied: /m);
		expect(err).toMatch(/^reprise: 1 tool call failed, 1 was denied\n$/m);
	});
});
