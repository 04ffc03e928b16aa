/** The full circle with real clients: from Claude Code to another agent, a turn there, home again, and on at home. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { certify, clients, handOff, returnSession } from '../src/move/index.ts';
import { contextOf } from '../src/store/reader/context.ts';
import { corpusFiles } from '../test/support/corpus.ts';

export interface Circle {
	readonly through: string;
	readonly session: string;
	readonly steps: readonly string[];
	readonly whole: boolean;
}

interface Turn {
	readonly oracle: string;
	readonly args: readonly string[];
	/** The session as the client left it. */
	readonly after: string;
}

/**
 * One that Claude Code goes on with. In place of others it asks its own, to which 2.1.325 cannot tell a session of 2.1.29: an
 * empty message is in the request, with or without us.
 */
const model = 'claude-sonnet-4-5';

/** A turn by the real client on the session that was handed to it. */
const turns: { readonly [agent: string]: (path: string, keep: string) => Turn } = {
	cline: (path, keep) => ({
		oracle: 'cline-resume',
		args: ['--via', 'core', '--session', path, '--manifest', path.replace(/messages\.json$/, 'json'), '--keep', keep],
		after: join(keep, 'sessions', basename(path, '.messages.json'), basename(path)),
	}),
	pi: (path, keep) => ({
		oracle: 'pi-resume',
		args: [...['--client', '0.87.1', '--session', path, '--model', model], ...['--keep', join(keep, 'after.jsonl')]],
		after: join(keep, 'after.jsonl'),
	}),
};

/** What the scripted model says, so that its turn is recognised at home. */
const said = 'ORACLE-OK';

export async function circles(oracles: string, folder: string): Promise<readonly Circle[]> {
	const made: Circle[] = [];
	for (const version of ['2.1.29', '2.1.325']) {
		const file = corpusFiles('claude-code').find((one) => one.version === version && one.scenario === 'tools-all');
		if (!file) throw new Error(`the corpus has no session with all tools of Claude Code ${version}`);
		for (const through of Object.keys(turns)) {
			const name = `${version}/${file.scenario}`;
			made.push({ through, session: name, ...(await circle(oracles, folder, through, Buffer.from(file.bytes()))) });
		}
	}
	return made;
}

async function circle(oracles: string, folder: string, through: string, old: Buffer) {
	const home = mkdtempSync(join(folder, 'circle-'));
	const keep = mkdtempSync(join(folder, 'keep-'));
	const cwd = join(home, 'project');
	mkdirSync(cwd);
	const machine = { platform: 'linux', home, env: { REPRISE_HOME: join(home, 'own') } } as const;
	const own = join(home, 'session.jsonl');
	writeFileSync(own, old);
	const handed = await handOff(own, { to: through, cwd, machine });
	const [there = ''] = handed.out;
	const turn = turns[through]?.(there, keep);
	if (!turn) throw new Error(`no turn is known for ${through}`);
	execFileSync(join(oracles, turn.oracle), turn.args, { stdio: 'ignore' });
	cpSync(turn.after, there);
	const back = await returnSession(there, { machine });
	const kept = readFileSync(own).subarray(0, old.length).equals(old);
	const ends = clients.filter((client) => client.agent === 'claude-code');
	const opened: string[] = [];
	for (const client of ends) {
		const one = await certify(oracles, client, { path: own, cwd });
		const all = JSON.stringify(contextOf(own, { client: client.version }).messages).includes(said);
		if (one.opened && one.equal === true && one.rejected === undefined && all) opened.push(client.name);
		else console.error(`circle through ${through}: ${JSON.stringify(one)}`);
	}
	return {
		steps: [
			`${back.messages} new messages`,
			kept ? `first ${old.length} bytes unchanged` : 'old bytes changed',
			`resumed with all turns by ${opened.join(' and ') || 'nobody'}`,
		],
		whole: kept && back.messages > 0 && opened.length === ends.length,
	};
}
