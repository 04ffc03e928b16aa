/** What somebody meets whose sessions may not be read: they are listed by name, and nothing wrong is said of them. */
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from '../../src/store/own-data/data-folder.ts';
import { corpusFiles, corpusRoot } from '../support/corpus.ts';
import { machineHere, runHere } from '../support/in-process.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';

const here = machineHere({ NO_COLOR: '1' });

it('a session that may not be read is listed as such, left out where it would count, and has no unknown format', async () => {
	const scenario = 'compact-auto';
	const { path } = corpusFiles('claude-code').find((file) => file.scenario === scenario && file.role === 'main') ?? {};
	const home = join(corpusRoot, `${path}`.slice(corpusRoot.length).split('/home/')[0] ?? '', 'home');
	cpSync(home, here().home, { recursive: true });
	const session = `${path}`.replace(home, here().home);
	chmodSync(session, 0);
	await asOrdinaryUser(here().root, async () => {
		const run = async (...args: string[]) => {
			const { out, err } = await runHere(args, { terminal: false });
			return { out, err: err.replaceAll('\n', ' ') };
		};
		const why = 'EACCES: permission denied ';
		for (const args of [
			['ls', '--all'],
			['ls', '--all', '--count'],
		]) {
			const { out, err } = await run(...args);
			expect(err).toBe(`reprise: cannot read ${session}, only its name is listed: ${why}`);
			expect(out).toContain('(cannot be read)');
		}
		for (const command of ['cost', 'stats']) {
			expect((await run(command, '--all')).err).toBe(`reprise: left out ${session}: ${why}`);
		}
		const { out } = await run('check', session, '--json');
		expect(JSON.parse(out)).toMatchObject({ format: null, ok: false, issues: [{ rule: 'unreadable' }] });
	});
});

it('a session is shown although Reprise’s own data may not be read, and what needs that data says what to look at', async () => {
	const { path } = corpusFiles('claude-code').find((file) => file.role === 'main') ?? {};
	const data = dataFolder(here().machine);
	mkdirSync(join(data, 'notes'), { recursive: true });
	chmodSync(data, 0);
	await asOrdinaryUser(here().root, async () => {
		const shown = await runHere(['show', `${path}`], { terminal: false });
		expect(shown.code).toBe(0);
		expect(shown.out).toMatch(/\S/);
		const why = 'permission denied; check the owner and mode of the file and its folder (EACCES).';
		const told = shown.err.replaceAll(/\s+/g, ' ');
		expect(told.startsWith(`reprise: hooks and permissions are not shown: cannot read ${data}/notes/`)).toBe(true);
		expect(told.endsWith(`: ${why} `)).toBe(true);
		const started = await runHere(['resume', `${path}`, '--check'], { terminal: false });
		expect(started.code).toBe(3);
		expect(started.err.replaceAll(/\s+/g, ' ')).toBe(`reprise: cannot open ${data}/trust.json: ${why} `);
	});
});
