/** Where a session was rewound to, it goes on, whatever is noted beside the conversation first. */
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const says = (text: string) => [{ text }];

interface Part {
	readonly kind: string;
	readonly text?: string;
	readonly entry?: string;
}

async function parts(stage: ClientStage): Promise<readonly Part[]> {
	return (JSON.parse((await stage.run(['show', 'last', '--json'])).out) as { parts: Part[] }).parts;
}

async function prompts(stage: ClientStage): Promise<readonly (string | undefined)[]> {
	return (await parts(stage)).filter((part) => part.kind === 'prompt').map((part) => part.text);
}

/** A session of two prompts, the first with many steps: the entry after it is far from the end of the file. */
async function begin(stage: ClientStage): Promise<string> {
	const look = { content: [{ type: 'tool_use' as const, name: 'Nope', input: {} }] };
	const steps = stage.script([look, look, look, look, look, look, ...says('All done.')]);
	expect((await stage.run(['-p', 'edit', '--script', steps, '--permission-mode', 'acceptEdits'])).code).toBe(0);
	expect((await stage.run(['-c', '-p', 'more', '--script', stage.script(says('More.'))])).code).toBe(0);
	const entry = (await parts(stage)).find((part) => part.kind !== 'prompt' && part.entry !== undefined)?.entry;
	if (entry === undefined) throw new Error('the first reply has no entry');
	return entry;
}

describe('a session that was rewound', () => {
	it('goes on from there in another permission mode', async () => {
		using stage = new ClientStage();
		const entry = await begin(stage);
		expect((await stage.run(['rewind', 'last', '--to', entry])).code).toBe(0);
		expect(await prompts(stage)).toEqual(['edit']);
		const go = ['-c', '-p', 'again', '--script', stage.script(says('Again.')), '--permission-mode', 'acceptEdits'];
		expect(await stage.run(go)).toMatchObject({ code: 0, out: 'Again.\n' });
		expect(await prompts(stage)).toEqual(['edit', 'again']);
	});

	it('goes on from the entry that --resume-session-at names in another permission mode', async () => {
		using stage = new ClientStage();
		const entry = await begin(stage);
		const at = ['--resume-session-at', entry, '--permission-mode', 'acceptEdits'];
		const go = ['-c', '-p', 'again', '--script', stage.script(says('Again.')), ...at];
		expect(await stage.run(go)).toMatchObject({ code: 0, out: 'Again.\n' });
		expect(await prompts(stage)).toEqual(['edit', 'again']);
	});
});
