/** A session of any format that has started one sub-agent, written through a handle. */
import type { Machine } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';
import { createHandle } from '../../src/store/handle/create.ts';
import type { Draft } from '../../src/store/handle/draft.ts';
import { createSubagent, type RootSession, rootOf } from '../../src/store/handle/subagents.ts';

const says = (text: string): Draft => ({ kind: 'message', role: 'user', content: [{ type: 'text', text }] });

/** The session, and what its sub-agent was told. */
export async function sessionWithSubagent(
	format: FormatId,
	cwd: string,
	machine: Machine,
): Promise<RootSession & { readonly task: string; readonly agent: string }> {
	await using handle = await createHandle({ format, cwd, machine });
	await handle.append(says('begin'));
	const task = `a task for ${format}`;
	const root = rootOf(handle);
	const agent = createSubagent(root, { cwd }, { type: 'explore', background: false });
	await using own = agent.handle;
	await own.append(says(task));
	const facts = { type: 'explore', description: 'look', call: 'call-1', depth: 1, background: false, builtIn: true };
	await agent.note({ ...facts, model: 'a-model', finished: true });
	return { ...root, task, agent: agent.id };
}
