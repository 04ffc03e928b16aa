/** A session that was handed to another agent has a name of its own there, and still finds its way home. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const says = (text: string) => [{ text }];

interface HandedOff {
	readonly id: string;
	readonly out: readonly string[];
	readonly command: string;
}

/** A session of Claude Code in the stage's project; its id. */
async function begin(stage: ClientStage): Promise<string> {
	const { session_id } = await stage.json('-p', 'Plan the garden', '--script', stage.script(says('Roses first.')));
	return String(session_id);
}

describe('after a hand-off', () => {
	it.each(['cline', 'clido', 'pi', 'openclaw'])('the copy that %s gets has an id of its own', async (agent) => {
		using stage = new ClientStage();
		const id = await begin(stage);
		const made = JSON.parse((await stage.run(['handoff', id, '--to', agent, '--json'])).out) as HandedOff;
		expect(made.id).not.toBe(id);
		const listed = (await stage.sessions()).map((session) => `${session.agent}:${session.id}`);
		expect(listed.toSorted()).toEqual([`claude-code:${id}`, `${agent}:${made.id}`].toSorted());
		// Each is found by its id alone.
		expect((await stage.run(['show', id])).code).toBe(0);
		expect((await stage.run(['show', made.id])).code).toBe(0);
		const again = await stage.run(['handoff', id, '--to', agent]);
		expect(again.code).toBe(1);
		expect(again.err).toContain('exists already: nothing was written. Go on with: ');
	});

	it.each(['cline', 'clido', 'pi'])('what was said in %s comes home into the old session', async (agent) => {
		using stage = new ClientStage();
		const id = await begin(stage);
		const path = await stage.pathOf(id);
		const before = readFileSync(path, 'utf8');
		const made = JSON.parse((await stage.run(['handoff', id, '--to', agent, '--json'])).out) as HandedOff;
		const go = ['-r', made.id, '-p', 'And then?', '--script', stage.script(says('Then tulips.'))];
		expect(await stage.run(go)).toMatchObject({ code: 0, out: 'Then tulips.\n' });
		const home = await stage.run(['return', made.id, '--json']);
		expect(JSON.parse(home.out)).toMatchObject({ id, out: [path] });
		const after = readFileSync(path, 'utf8');
		expect(after.startsWith(before)).toBe(true);
		expect(after.slice(before.length)).toContain('Then tulips.');
		expect(after.slice(before.length)).not.toContain(made.id);
		// Handed off again it is another copy: this one says more.
		const second = JSON.parse((await stage.run(['handoff', id, '--to', agent, '--json'])).out) as HandedOff;
		expect(second.id).not.toBe(made.id);
	});
});

describe('handed back to the agent it came from', () => {
	it.each(['cline', 'clido', 'pi'])('a session that went on in %s is a copy with one id everywhere', async (agent) => {
		using stage = new ClientStage();
		const id = await begin(stage);
		const there = JSON.parse((await stage.run(['handoff', id, '--to', agent, '--json'])).out) as HandedOff;
		const go = ['-r', there.id, '-p', 'And then?', '--script', stage.script(says('Then tulips.'))];
		expect((await stage.run(go)).code).toBe(0);
		const before = readFileSync(await stage.pathOf(id), 'utf8');
		const { out, err, code } = await stage.run(['handoff', there.id, '--to', 'claude-code']);
		expect(code).toBe(0);
		const copy = /^session claude-code:(\S+)$/m.exec(out)?.[1] ?? '';
		expect([id, there.id]).not.toContain(copy);
		expect(out.trimEnd().endsWith(`claude --resume ${copy}`)).toBe(true);
		expect(out).not.toContain('nothing is stored');
		expect(err).toContain(`\`reprise return ${there.id}\``);
		expect(err).toContain(`claude-code:${id}`);
		// The file's name, its lines and every list agree.
		expect(basename(await stage.pathOf(copy))).toBe(`${copy}.jsonl`);
		const named = (await stage.lines(copy)).flatMap((line) => (line.sessionId === undefined ? [] : [line.sessionId]));
		expect(new Set(named)).toEqual(new Set([copy]));
		expect(JSON.parse((await stage.run(['inspect', copy, '--json'])).out)).toMatchObject({ sessionId: copy });
		expect((await stage.run(['show', copy])).out).toContain('Then tulips.');
		// The way home is still there.
		expect(readFileSync(await stage.pathOf(id), 'utf8')).toBe(before);
		expect(JSON.parse((await stage.run(['return', there.id, '--json'])).out)).toMatchObject({ id });
		expect(readFileSync(await stage.pathOf(id), 'utf8').startsWith(before)).toBe(true);
	});
});

describe('where two agents have one id', () => {
	it('cost by session keeps them apart and names each with its agent', async () => {
		using stage = new ClientStage();
		const id = await begin(stage);
		const made = JSON.parse((await stage.run(['handoff', id, '--to', 'pi', '--json'])).out) as HandedOff;
		// pi and OpenClaw share a format: there a copy is the same bytes, which say the id.
		const there = join(stage.home, '.openclaw/agents/main/sessions', `${made.id}.jsonl`);
		cpSync(made.out[0] ?? '', there, { recursive: true });
		const go = async (name: string) =>
			await stage.run(['-r', name, '-p', 'And then?', '--script', stage.script(says('Tulips.'))]);
		expect((await go(`pi:${made.id}`)).code).toBe(0);
		expect((await go(`openclaw:${made.id}`)).code).toBe(0);
		const { rows } = JSON.parse((await stage.run(['cost', '--by', 'session', '--json'])).out) as {
			rows: { key: string; session: string; agent: string }[];
		};
		const keys = rows.map((row) => row.key);
		expect(keys).toContain(`pi:${made.id}`);
		expect(keys).toContain(`openclaw:${made.id}`);
		const { out } = await stage.run(['cost', '--by', 'session']);
		expect(out).toContain(`pi:${made.id.slice(0, 8)}`);
		expect(out).toContain(`openclaw:${made.id.slice(0, 8)}`);
		expect((await stage.run(['tag', `pi:${made.id}`, 'green'])).out).toBe(`pi:${made.id}: green\n`);
		expect((await stage.run(['archive', `openclaw:${made.id}`])).out).toBe(`openclaw:${made.id} is archived\n`);
	});
});

it('a file that does not say its id gets one that its client resumes by, not the name of the file', async () => {
	using stage = new ClientStage();
	const id = await begin(stage);
	const lines = readFileSync(await stage.pathOf(id), 'utf8').replaceAll(new RegExp(`,"sessionId":"${id}"`, 'g'), '');
	expect(lines).not.toContain(id);
	writeFileSync(stage.file('b.jsonl'), lines);
	const made = JSON.parse((await stage.run(['handoff', 'b.jsonl', '--to', 'claude-code', '--json'])).out) as HandedOff;
	expect(made.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
	expect(made.out[0]).toMatch(new RegExp(`/${made.id}\\.jsonl$`));
	expect(made.command.endsWith(`claude --resume ${made.id}`)).toBe(true);
	expect(readFileSync(made.out[0] ?? '', 'utf8')).toBe(lines);
});
