/** Whose session is meant: what goes on, and what is changed, is of this project and of no other. */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const done = [{ text: 'done' }];

/** Two projects, each a repository with a folder in it. */
class Stage extends ClientStage {
	readonly other = this.repository('other');

	constructor() {
		super();
		mkdirSync(join(this.cwd, '.git'));
		mkdirSync(join(this.cwd, 'src'));
		mkdirSync(join(this.cwd, 'docs'));
	}

	repository(name: string): string {
		const folder = join(dirname(this.cwd), name);
		mkdirSync(join(folder, '.git'), { recursive: true });
		return folder;
	}

	/** A session of Claude Code, as old as so many seconds. */
	session(id: string, cwd: string, prompt: string, second: number): string {
		const folder = join(this.home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
		mkdirSync(folder, { recursive: true });
		const path = join(folder, `${id}.jsonl`);
		const line = {
			type: 'user',
			uuid: id,
			parentUuid: null,
			sessionId: id,
			cwd,
			timestamp: '2026-01-01T00:00:00.000Z',
		};
		writeFileSync(path, `${JSON.stringify({ ...line, message: { role: 'user', content: prompt } })}\n`);
		utimesSync(path, second, second);
		return path;
	}
}

const ids = {
	here: '11111111-0000-4000-8000-000000000001',
	below: '11111111-0000-4000-8000-000000000002',
	there: '22222222-0000-4000-8000-000000000003',
};

describe('a project without sessions', () => {
	it.each(['show', 'context', 'inspect', 'check'])('%s last says how the newest session is read', async (command) => {
		using stage = new Stage();
		stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const ended = await stage.run([command, 'last']);
		expect(ended.code).toBe(1);
		expect(ended.err).toContain(`: reprise show ${ids.there} shows it\n`);
	});

	it('-c writes into no other project, and says where the newest session is', async () => {
		using stage = new Stage();
		const path = stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const before = readFileSync(path);
		const ended = await stage.run(['-c', '-p', 'go on', '--script', stage.script(done)]);
		expect(ended).toMatchObject({ code: 1, out: '' });
		expect(ended.err).toBe(
			`reprise: no session of this project; the newest anywhere is claude-code:${ids.there} in ${stage.other}: ` +
				`reprise -r ${ids.there} -p "…" goes on with it\n`,
		);
		expect(readFileSync(path)).toEqual(before);
	});

	it.each([
		['show'],
		['delete', '--yes'],
		['rename', 'Mine'],
		['tag', 'x'],
		['archive'],
		['fork'],
		['rewind', '--to', 'x'],
		['repair'],
		['handoff', '--to', 'pi'],
		['return'],
	])('%s last means nothing there', async (name, ...rest) => {
		using stage = new Stage();
		const path = stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const before = readFileSync(path);
		const { code, err } = await stage.run([name, 'last', ...rest]);
		expect(code).toBe(1);
		expect(err).toContain('no session of this project; the newest anywhere is');
		expect(readFileSync(path)).toEqual(before);
	});

	it('a title of another project is not enough to change its session', async () => {
		using stage = new Stage();
		const path = stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const before = readFileSync(path);
		const { code, err } = await stage.run(['rename', 'Paint the shed', 'Mine']);
		expect(code).toBe(1);
		expect(err).toContain(`claude-code:${ids.there} in ${stage.other} has it: name it by its id`);
		expect(readFileSync(path)).toEqual(before);
		expect((await stage.run(['show', 'Paint the shed'])).code).toBe(0);
	});
});

describe('a folder inside a project', () => {
	it('ls, last and -c agree there, beside it, at the root and in a worktree', async () => {
		using stage = new Stage();
		stage.session(ids.here, stage.cwd, 'Plan the garden', 1000);
		stage.session(ids.below, join(stage.cwd, 'src'), 'Water the plants', 2000);
		stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const tree = join(dirname(stage.cwd), 'tree');
		const own = join(stage.cwd, '.git/worktrees/tree');
		mkdirSync(tree);
		mkdirSync(own, { recursive: true });
		writeFileSync(join(own, 'commondir'), '../..\n');
		writeFileSync(join(own, 'gitdir'), `${join(tree, '.git')}\n`);
		writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
		const places: readonly (readonly [string, readonly string[]])[] = [
			[join(stage.cwd, 'src'), [ids.below, ids.here]],
			[join(stage.cwd, 'docs'), [ids.here]],
			[stage.cwd, [ids.below, ids.here]],
			[tree, [ids.below, ids.here]],
		];
		for (const [cwd, expected] of places) {
			const at = { cwd };
			const { sessions } = JSON.parse((await stage.run(['ls', '--json'], at)).out) as { sessions: { id: string }[] };
			expect(sessions.map(({ id }) => id)).toEqual(expected);
			expect(JSON.parse((await stage.run(['inspect', 'last', '--json'], at)).out)).toMatchObject({
				sessionId: expected[0],
			});
		}
		const args = ['-c', '-p', 'go on', '--script', stage.script(done), '--output-format', 'json'];
		const { out } = await stage.run(args, { cwd: tree });
		expect(JSON.parse(out)).toMatchObject({ session_id: ids.below, result: 'done' });
	});

	it('of no repository has no session of its own: ls, last and -c all say so, and take none from elsewhere', async () => {
		using stage = new Stage();
		rmSync(join(stage.cwd, '.git'), { recursive: true });
		stage.session(ids.here, stage.cwd, 'Plan the garden', 1000);
		const theirs = stage.session(ids.there, stage.other, 'Paint the shed', 3000);
		const before = readFileSync(theirs);
		const at = { cwd: join(stage.cwd, 'docs') };
		expect(JSON.parse((await stage.run(['ls', '--json'], at)).out)).toEqual({ sessions: [] });
		expect((await stage.run(['inspect', 'last'], at)).code).toBe(1);
		const { code } = await stage.run(['-c', '-p', 'go on', '--script', stage.script(done)], at);
		expect(code).toBe(1);
		expect(readFileSync(theirs)).toEqual(before);
	});

	it('what was put away is neither listed nor the last', async () => {
		using stage = new Stage();
		stage.session(ids.here, stage.cwd, 'Plan the garden', 1000);
		stage.session(ids.below, stage.cwd, 'Water the plants', 2000);
		expect((await stage.run(['archive', ids.below])).code).toBe(0);
		const { out } = await stage.run(['inspect', 'last', '--json']);
		expect(JSON.parse(out)).toMatchObject({ sessionId: ids.here });
	});
});

describe('the name of a session', () => {
	it('may be typed in upper case', async () => {
		using stage = new Stage();
		stage.session('abcdef12-0000-4000-8000-000000000001', stage.cwd, 'Plan the garden', 1000);
		const { out, code } = await stage.run(['inspect', 'ABCDEF1', '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({ sessionId: 'abcdef12-0000-4000-8000-000000000001' });
	});
});
