/** Commands that are printed to be copied: whatever a session is called, a shell runs Reprise, and Reprise finds that session. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { agents } from '../../src/move/agents.ts';
import { ClientStage } from '../support/client.ts';

/** What a shell makes of the line: the arguments that Reprise would be given. */
function typed(line: string, cwd: string): readonly string[] {
	const out = execFileSync('/bin/sh', ['-c', `reprise() { printf '%s\\0' "$@"; }; ${line}`], { cwd, encoding: 'utf8' });
	return out.split('\0').slice(0, -1);
}

it.each(['x;touch made;', '$(touch made)', '--json', 'last', "it's", '../up', '--debug me'])(
	'a session with the id %j is shown by the command that search prints',
	async (id) => {
		using stage = new ClientStage();
		const flags = ['--session-format', 'openclaw', '--script', stage.script([{ text: 'A peculiar answer.' }])];
		await stage.run(['-p', 'first words', ...flags]);
		const [{ path } = { path: '' }] = await stage.sessions();
		const [header = '', ...lines] = readFileSync(path, 'utf8').split('\n');
		// The name of a file has an id, too, where pi has written it.
		writeFileSync(join(dirname(path), 'a.jsonl'), [JSON.stringify({ ...JSON.parse(header), id }), ...lines].join('\n'));
		rmSync(path);
		expect((await stage.sessions()).map((one) => one.id)).toEqual([id]);
		const { out } = await stage.run(['search', 'peculiar']);
		const command = out.split('\n').find((line) => line.startsWith('  reprise show ')) ?? '';
		const args = typed(command, stage.cwd);
		expect(existsSync(stage.file('made'))).toBe(false);
		const shown = await stage.run(args);
		expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('A peculiar answer.') });
	},
);

it('no id becomes a flag of the agent that resumes it', () => {
	for (const { name, resume } of agents) {
		const words = resume({ id: '--yolo', cwd: '/home/dev', path: '/home/dev/a.jsonl' }).split(' ');
		expect(words, name).not.toContain('--yolo');
	}
});
