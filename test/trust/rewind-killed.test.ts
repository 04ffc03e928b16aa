/** A rewind that is killed anywhere is finished by the next one, and can be undone. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries, git, prompt, runs, treeIn } from '../support/rewinding.ts';

/** `npm run test:kill` asks for more. */
const kills = process.env.REPRISE_KILLS === undefined ? 6 : 100;
const preload = pathToFileURL(join(import.meta.dirname, '../support/kill-at-call.mjs')).href;

const commands = [
	'for n in 1 2 3 4 5 6; do echo $n > new$n.txt; done; mkdir -p deep/er; mv a.txt deep/er/a.txt; ln -s deep link',
	'rm -r gone; chmod 755 kept.txt; head -c 300000 /dev/urandom > kept.bin; mkdir file-or-folder.d; rm swapped; mkdir swapped; echo x > swapped/x',
];

it('the next rewind finishes it, wherever it was killed', { timeout: 900_000 }, async () => {
	using stage = new ClientStage();
	mkdirSync(stage.file('gone'));
	for (const name of ['gone/1', 'gone/2', 'kept.txt', 'kept.bin', 'swapped'])
		writeFileSync(stage.file(name), `${name}\r\n`);
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	const before = treeIn(stage.cwd);
	await prompt(stage, commands.map(runs));
	const after = treeIn(stage.cwd);
	const [first = ''] = await entries(stage, 'prompt');
	const saved = join(stage.home, '..', 'saved');
	for (const part of ['home', 'own', 'project'])
		cpSync(join(saved, '..', part), join(saved, part), {
			recursive: true,
			verbatimSymlinks: true,
			preserveTimestamps: true,
		});
	const reset = (): void => {
		for (const part of ['home', 'own', 'project']) {
			rmSync(join(saved, '..', part), { recursive: true, force: true });
			cpSync(join(saved, part), join(saved, '..', part), {
				recursive: true,
				verbatimSymlinks: true,
				preserveTimestamps: true,
			});
		}
	};
	const go = ['rewind', 'last', '--to', first, '--files', '-y'];
	const count = join(saved, 'count');
	const killing = (env: { readonly [name: string]: string }) => ({
		env: { NODE_OPTIONS: `--import ${preload}`, ...env },
	});
	expect(await stage.run(go, killing({ KILL_COUNT: count }))).toMatchObject({ code: 0 });
	expect(treeIn(stage.cwd)).toEqual(before);
	const calls = Number(readFileSync(count, 'utf8').trim());
	expect(calls).toBeGreaterThan(50);
	for (let round = 0; round < kills; round += 1) {
		const at = 1 + Math.floor(((round + Math.random()) * calls) / kills);
		reset();
		expect((await stage.run(go, killing({ KILL_AT: String(at) }))).code, `killed at call ${at} of ${calls}`).toBe(null);
		const finished = await stage.run(go);
		expect([
			at,
			finished.code,
			finished.err.replace(/the rewind \w+ of this session was not finished: it is now/, ''),
		]).toEqual([at, 0, expect.stringMatching(/^(reprise: \n)?$/)]);
		expect(treeIn(stage.cwd), `killed at call ${at} of ${calls}`).toEqual(before);
		expect(await entries(stage, 'prompt')).toEqual([]);
		if (round % 3 > 0) continue;
		const undone = await stage.run(['rewind', 'last', '--undo', '-y']);
		expect(undone.code).toBe(0);
		expect(treeIn(stage.cwd)).toEqual(after);
	}
});
