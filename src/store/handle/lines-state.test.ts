/** Sessions of lines that grow by many appends: the part that encoding reads stays small. */
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { formats, prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { codecOf } from '../../codecs/index.ts';
import { createHandle } from './create.ts';

test('what encoding looks at does not grow with the session', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		const codec = codecOf(format);
		if (!codec) throw new Error(`no codec for ${format}`);
		await using handle = await createHandle({ format, cwd: scratch.folder, machine: scratch.machine });
		using encode = vi.spyOn(codec.write, 'encode');
		for (let n = 0; n < 30; n += 1) await handle.append(prompt(`question ${n}`), reply(`answer ${n}`));
		const most = Math.max(...encode.mock.calls.map(([{ after }]) => after?.entries.length ?? 0));
		expect(most, format).toBeLessThan(40);
	}
});

test('a Clido result still counts every prompt of a long session', async () => {
	using scratch = new Scratch();
	await using handle = await createHandle({ format: 'clido', cwd: scratch.folder, machine: scratch.machine });
	for (let n = 0; n < 40; n += 1) await handle.append(prompt(`question ${n}`), reply(`answer ${n}`));
	await handle.append({ kind: 'outcome', status: 'completed', costUsd: 0, durationMs: 1 });
	const last = readFileSync(handle.path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
	expect(JSON.parse(last)).toMatchObject({ type: 'result', num_turns: 40 });
});
