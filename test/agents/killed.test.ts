/** A killed client leaves nothing running, and what its sub-agents had done is not lost. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AgentsStage, says, task, turn, use } from '../support/agents-stage.ts';
import { running, uniqueSeconds, until } from '../support/processes.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

/** A client whose sub-agents are in the middle of a command when it is killed. */
async function killedDuring(turns: readonly object[], started: readonly string[], mark: string): Promise<void> {
	const script = stage.script(turns as never);
	const child = stage.start(['-p', 'MAIN', '--script', script, '--permission-mode', 'bypassPermissions']);
	const gone = new Promise((resolve) => child.on('close', resolve));
	await until(() => started.every((name) => existsSync(stage.file(name))));
	expect(running(mark).length).toBeGreaterThanOrEqual(started.length);
	child.kill('SIGKILL');
	await gone;
	await until(() => running(mark).length === 0);
}

const waits = (name: string, mark: string) => use('Bash', { command: `touch ${name}; sleep ${mark}` });

it('a killed parent leaves no child running, and no grandchild either', async () => {
	const mark = uniqueSeconds();
	const turns = [
		turn('MAIN', task('CHILD'), task('OTHER', { run_in_background: true })),
		turn('^CHILD', task('GRANDCHILD'), waits('child', mark)),
		turn('^GRANDCHILD', waits('grandchild', mark)),
		turn('^OTHER', waits('other', mark)),
	];
	await killedDuring(turns, ['grandchild', 'other'], mark);
	// Another process may have the number of the killed one by now.
	const locks = join(stage.own, 'locks');
	const notes = readdirSync(locks).filter((name) => name.endsWith('.holder'));
	expect(notes.length).toBeGreaterThan(0);
	for (const name of notes) {
		const note = JSON.parse(readFileSync(join(locks, name), 'utf8')) as object;
		writeFileSync(join(locks, name), JSON.stringify({ ...note, pid: process.pid }));
	}
	const agents = await stage.agents();
	expect(agents.map(({ state }) => state)).toEqual(['interrupted', 'interrupted', 'interrupted']);
	expect(agents.map(({ description }) => description).sort()).toEqual([
		'about CHILD',
		'about GRANDCHILD',
		'about OTHER',
	]);
});

it('a killed child becomes an error that names it, and goes on where it was when the model resumes it', async () => {
	const mark = uniqueSeconds();
	await killedDuring([turn('MAIN', task('CHILD')), turn('CHILD', waits('child', mark))], ['child'], mark);
	const [child] = await stage.agents();
	const again = stage.script([
		{ when: { first: 'MAIN', last: 'Go on' }, content: [task('Finish it', { resume: child?.id ?? '' })] },
		{ when: { first: 'CHILD', last: 'Finish it' }, text: 'The child is back.' },
		{ when: { first: 'MAIN' }, text: 'All done.' },
	] as never);
	const { code, out } = await stage.run(['-c', '-p', 'Go on', '--script', again, '--permission-mode', 'acceptEdits']);
	expect({ code, out }).toEqual({ code: 0, out: 'All done.\n' });
	const [cutOff, report] = await stage.results();
	expect(cutOff).toMatchObject({ isError: true, text: expect.stringContaining(`agentId: ${child?.id}`) });
	expect(report).toMatchObject({ isError: false, text: expect.stringContaining('The child is back.') });
	// One agent, one file, and one conversation in it.
	expect(await stage.agents()).toMatchObject([{ id: child?.id, state: 'completed', report: 'The child is back.' }]);
});

it('a killed child goes on by itself, and the session that goes on later has its report', async () => {
	const mark = uniqueSeconds();
	await killedDuring([turn('MAIN', task('CHILD')), turn('CHILD', waits('child', mark))], ['child'], mark);
	const [child] = await stage.agents();
	const script = stage.script([says('CHILD', 'I am back.')] as never);
	const resumed = await stage.run(['agents', 'last', '--resume', child?.id.slice(0, 6) ?? '', '--script', script]);
	expect(resumed).toMatchObject({ code: 0, out: 'I am back.\n', err: '' });
	expect(await stage.agents()).toMatchObject([{ id: child?.id, state: 'completed' }]);
	await stage.run(['-c', '-p', 'And?', '--script', stage.script([{ text: 'Good.' }])]);
	expect(await stage.results()).toMatchObject([{ isError: false, text: expect.stringContaining('I am back.') }]);
	const { out } = await stage.run(['check', 'last', '--json']);
	expect(JSON.parse(out)).toMatchObject({ ok: true });
});

it('an interrupted run ends its agents, and what they had done is written', async () => {
	const mark = uniqueSeconds();
	const script = stage.script([turn('MAIN', task('CHILD')), turn('CHILD', waits('child', mark))] as never);
	const child = stage.start(['-p', 'MAIN', '--script', script, '--permission-mode', 'bypassPermissions']);
	const gone = new Promise<number | null>((resolve) => child.on('close', resolve));
	await until(() => existsSync(stage.file('child')));
	child.kill('SIGINT');
	expect(await gone).toBe(130);
	expect(running(mark)).toEqual([]);
	const [agent] = await stage.agents();
	expect(agent).toMatchObject({ state: 'interrupted', toolUses: 1 });
	expect(await stage.results()).toMatchObject([{ isError: true, text: expect.stringContaining(agent?.id ?? '') }]);
});
