/** The library takes the names that the command line takes, and refuses what it refuses, in sentences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { convertFile, type FormatName, listSessions, runPrompt } from '../src/index.ts';
import { projectIn, scripted } from './support/agent.ts';
import { type Scratch, scratchMachine } from './support/scratch.ts';

const before = { ...process.env };
let scratch: Scratch;
beforeEach(() => {
	scratch = scratchMachine();
	Object.assign(process.env, scratch.machine.env);
});
afterEach(() => {
	scratch[Symbol.dispose]();
	process.env = { ...before };
});

const names = 'claude-code, clido, cline, pi, openclaw';

function answer(prompt: string, sessionFormat: FormatName) {
	return runPrompt(prompt, { cwd: projectIn(scratch.root), provider: scripted([{ text: 'done' }]), sessionFormat });
}

it('pi is a format to write and to convert to', async () => {
	const { session } = await answer('go', 'pi');
	expect(JSON.parse(readFileSync(session.path, 'utf8').split('\n')[0] ?? '')).toMatchObject({ type: 'session' });
	const other = await answer('go', 'claude-code');
	const out = join(scratch.root, 'out.jsonl');
	const converted = await convertFile(other.session.path, { to: 'pi', out });
	expect(converted.out[0]).toBe(out);
	expect(JSON.parse(readFileSync(out, 'utf8').split('\n')[0] ?? '')).toMatchObject({ type: 'session' });
});

it('a name that is no format and no agent is refused with those that are', async () => {
	await expect(answer('go', 'nope' as FormatName)).rejects.toThrow(
		`nope is not a format that Reprise writes: use one of ${names}`,
	);
	expect(() => listSessions({ agent: 'nope' })).toThrow(`nope is not an agent that Reprise knows: use one of ${names}`);
	expect(listSessions({ agent: 'pi' })).toEqual([]);
});

it.each(['', '  \n'])('an empty prompt %j is refused before anything is asked or written', async (prompt) => {
	await expect(answer(prompt, 'claude-code')).rejects.toMatchObject({
		name: 'InputError',
		message: 'there is nothing to do: the prompt is empty',
	});
	expect(listSessions()).toEqual([]);
});
