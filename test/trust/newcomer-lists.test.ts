/** What somebody meets who lists and searches: names that changed, columns, what cannot be read. */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';

function newStage(...scenarios: readonly string[]): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	for (const scenario of scenarios) cpSync(join(corpusRoot, scenario, 'home'), stage.home, { recursive: true });
	return stage;
}

it('a Cline session that was renamed is listed and found by its new title', async () => {
	const stage = newStage('cline/3.0.65/multi-turn-resume');
	const [id] = readdirSync(join(stage.home, '.cline/data/sessions'));
	const found = async (word: string) =>
		(
			JSON.parse((await stage.run(['search', word, '--all', '--json'])).out) as {
				hits: { title: string; role: string }[];
			}
		).hits;
	expect(await found('zebra')).toEqual([]);
	await stage.run(['rename', `${id}`, 'Zebra crossing']);
	expect(await found('zebra')).toMatchObject([{ title: 'Zebra crossing', role: 'title' }]);
	await stage.run(['rename', `${id}`, 'Okapi']);
	expect((await stage.run(['ls', '--all'])).out).toContain('Okapi');
	expect(await found('zebra')).toEqual([]);
	expect((await found('question')).filter(({ role }) => role === 'title')).toEqual([]);
	expect((await stage.run(['search', 'okapi', '--all'])).out).toMatch(/reprise show \d+$/m);
});

it.each(['claude-code/2.1.325/simple-text', 'clido/1.0.15/written-by-clido', 'openclaw/pi-0.87.1/parallel-tools'])(
	'%s: a session that was named and went on for long keeps its name',
	async (scenario) => {
		const stage = newStage(scenario);
		const all = async () =>
			(
				JSON.parse((await stage.run(['ls', '--all', '--json'])).out) as {
					sessions: { id: string; path: string; title: string }[];
				}
			).sessions;
		const [session] = await all();
		if (!session) return expect.fail('no session');
		// Half of what was said before the name, half of it behind: it stands near neither end of the file.
		const lines = readFileSync(session.path, 'utf8').trimEnd().split('\n');
		const said = `${lines.at(-1)}\n`;
		const grow = () => appendFileSync(session.path, said.repeat(Math.ceil(80_000 / said.length)));
		grow();
		await stage.run(['rename', session.path, 'Zebra crossing']);
		grow();
		expect((await all()).map(({ title }) => title)).toEqual(['Zebra crossing']);
		expect((await stage.run(['show', 'zebra crossing'])).out).toContain('Zebra crossing');
		expect((await stage.run(['inspect', 'Zebra crossing'])).code).toBe(0);
	},
);

it('what a session of pi cost stays its own when OpenClaw gets a copy of it', async () => {
	const stage = newStage('openclaw/pi-0.87.1/parallel-tools');
	const costs = async () => {
		const { out } = await stage.run(['ls', '--all', '--count', '--json']);
		const { sessions } = JSON.parse(out) as { sessions: { agent: string; cwd: string; costUsd: number | null }[] };
		return sessions.map(({ agent, costUsd }) => [agent, costUsd]).sort();
	};
	const [[, cost] = []] = await costs();
	const header = readdirSync(stage.home, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl'));
	if (header === undefined) return expect.fail('no session');
	expect((await stage.run(['handoff', join(stage.home, header), '--to', 'openclaw'])).err).toBe('');
	expect(await costs()).toEqual([
		['openclaw', 0],
		['pi', cost],
	]);
});

it.each(['claude-code/2.1.325/simple-text', 'cline/3.0.65/text', 'openclaw/pi-0.87.1/parallel-tools'])(
	'%s: however often a session is forked, what it cost stays its own',
	async (scenario) => {
		const stage = newStage(scenario);
		const costs = async () => {
			const { out } = await stage.run(['ls', '--all', '--count', '--json']);
			const { sessions } = JSON.parse(out) as { sessions: { path: string; costUsd: number | null }[] };
			return new Map(sessions.map(({ path, costUsd }) => [path, costUsd]));
		};
		const [[path = '', cost] = []] = [...(await costs())];
		let last = path;
		// Names of forks are random: in half of the cases the alphabet would choose the fork.
		for (let time = 0; time < 4; time += 1) {
			const { out } = await stage.run(['fork', time === 2 ? last : path, '--json']);
			last = (JSON.parse(out) as { path: string }).path;
			const now = await costs();
			expect(now.size).toBe(time + 2);
			expect([now.get(path), [...now.values()].filter((one) => one !== 0)]).toEqual([cost, [cost]]);
		}
	},
);

it.each(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])(
	'%s is told as an interruption, and is no turn',
	async (text) => {
		const stage = newStage();
		const id = '00000000-0000-4000-8000-000000000000';
		const line = (at: number, content: unknown) =>
			JSON.stringify({
				type: 'user',
				uuid: `00000000-0000-4000-8000-00000000000${at}`,
				parentUuid: at === 1 ? null : `00000000-0000-4000-8000-00000000000${at - 1}`,
				sessionId: id,
				cwd: stage.cwd,
				timestamp: `2026-01-01T00:00:0${at}.000Z`,
				message: { role: 'user', content },
			});
		const folder = join(stage.home, '.claude/projects/-p');
		mkdirSync(folder, { recursive: true });
		const lines = [line(1, 'Paint the shed'), line(2, [{ type: 'text', text }])];
		writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
		expect((await stage.run(['show', id])).out).toMatch(/❯ Paint the shed\n\n· interrupted by the user\n$/);
		expect((await stage.run(['show', id, '-n', '1'])).out).toContain('❯ Paint the shed');
		expect((await stage.run(['show', id, '--md'])).out).not.toContain('Request interrupted');
		expect((await stage.run(['stats'])).out).toContain('1 turn,');
		expect(JSON.parse((await stage.run(['ls', '--count', '--json'])).out)).toMatchObject({ sessions: [{ turns: 1 }] });
		// A model is told what the client tells it.
		expect((await stage.run(['context', id])).out).toContain(text);
	},
);

it.each([40, 60, 80, 100, 120])(
	'ls has the same columns on %i columns, whatever is listed: turns and costs come with the first count',
	async (width) => {
		const stage = newStage('cline/3.0.65/multi-turn-resume');
		const heads = async (...args: string[]) =>
			(await stage.run(['ls', '--all', ...args], { env: { COLUMNS: String(width) } })).out.split('\n')[0]?.split(/ +/);
		const before = await heads();
		const counted = await heads('--count');
		expect(counted?.filter((head) => head !== 'turns' && head !== 'cost')).toEqual(before);
		cpSync(join(corpusRoot, 'openclaw/2026.7.1/resume/home'), stage.home, { recursive: true });
		expect(await heads()).toEqual(counted);
		if (width >= 100) expect(counted).toEqual(['updated', 'agent', 'id', 'turns', 'cost', 'project', 'title']);
	},
);
