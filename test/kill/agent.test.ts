/** Agents that are killed while they work: whoever goes on finds everything once. CI does it two hundred times and more. */
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FormatId, path } from '../../src/model/index.ts';
import { checkFile } from '../../src/store/reader/check.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { fileNamed, formats, Scratch } from '../support/sessions.ts';
import { type Program, programOf, randomFrom } from '../support/writers.ts';
import { marksIn } from './agent-marks.ts';

const kills = Math.ceil(Number(process.env.REPRISE_AGENT_KILLS ?? 24) / formats.length);
const seed = Number(process.env.REPRISE_SEED ?? 1);
const killsPerFile = 6;

let agents: Program;
beforeAll(async () => {
	agents = await programOf(join(import.meta.dirname, 'agent-child.ts'));
}, 60_000);
afterAll(() => agents[Symbol.dispose]());

/** A line that a kill tore, perhaps within a character, stays where it is until somebody repairs it. */
const torn = /\/(not-json|not-utf8|torn)$/;

interface Life {
	/** What it said that is written. */
	readonly marks: readonly string[];
	/** The first prompt that no life has used yet. */
	readonly next: number;
}

async function live(format: FormatId, file: string, own: string, next: number, random: () => number): Promise<Life> {
	const byBytes = random() < 0.4;
	const bytes = byBytes ? 1 + Math.floor(random() * 40_000) : 0;
	const events = byBytes ? 0 : 1 + Math.floor(random() * 120);
	const args = [format, file, own, String(next), String(bytes), String(events)];
	const running = agents.start(args, ['ignore', 'pipe', 'inherit']);
	let said = '';
	running.stdout?.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [, signal] = (await once(running, 'close')) as [number | null, string | null];
	if (signal !== 'SIGKILL') throw new Error(`the agent ended by itself: ${args.join(' ')}`);
	const lines = said.split('\n').filter((line) => line !== '');
	const done = lines.filter((line) => line.startsWith('done ')).length;
	return { marks: lines.filter((line) => !line.startsWith('done ')), next: next + done + 1 };
}

/** Everything that was said to be written is there once, and the file is in order. */
async function inspect(file: string, told: readonly string[], where: string): Promise<void> {
	const marks = marksIn(path(await openSession(file, { subagents: false })));
	const twice = marks.filter((mark, index) => marks.indexOf(mark) !== index);
	if (twice.length > 0) throw new Error(`${where}: twice: ${twice.join(', ')}`);
	const missing = told.filter((mark) => !marks.includes(mark));
	if (missing.length > 0) throw new Error(`${where}: missing: ${missing.join(', ')}`);
	const { issues } = await checkFile(file);
	const errors = issues.filter(
		({ severity, profile, rule }) => severity === 'error' && profile !== 'published' && !torn.test(rule),
	);
	if (errors.length > 0) {
		throw new Error(`${where}: ${errors.map(({ rule, message }) => `${rule}: ${message}`).join('; ')}`);
	}
}

async function killAgents(format: FormatId): Promise<{ readonly told: number; readonly begun: number }> {
	const random = randomFrom(seed + formats.indexOf(format));
	let told = 0;
	let begun = 0;
	for (let left = kills; left > 0; left -= killsPerFile) {
		using scratch = new Scratch();
		const own = join(scratch.folder, 'own');
		mkdirSync(own);
		const file = join(scratch.folder, 'session', fileNamed(format, 'new'));
		const marks: string[] = [];
		let next = 0;
		for (let round = 0; round < Math.min(killsPerFile, left); round += 1) {
			const life = await live(format, file, own, next, random);
			next = life.next;
			marks.push(...life.marks);
			const where = `${format}, kill ${round} of ${file}`;
			if (!existsSync(file)) {
				if (marks.length > 0) throw new Error(`${where}: the session is gone`);
				continue;
			}
			begun += 1;
			await inspect(file, marks, where);
		}
		told += marks.length;
	}
	return { told, begun };
}

describe.concurrent('an agent that is killed while it works', () => {
	test.each(formats)(
		'loses nothing that it said was written, repeats nothing, and is gone on with: %s',
		async (format) => {
			const { told, begun } = await killAgents(format);
			expect(begun).toBeGreaterThan(kills / 2);
			expect(told).toBeGreaterThan(kills);
		},
		60_000 + kills * 5_000,
	);
});
