/** A session that is there already, as a conversation. */
import { describe, expect, it } from 'vitest';
import { scripted, stage } from '../../../test/support/agent.ts';
import { openHandle } from '../../store/handle/handle.ts';
import { startRun } from '../run.ts';
import { resumeConversation } from './resume.ts';

const todos = [{ content: 'one', status: 'pending', activeForm: 'doing one' }];

describe('resuming', () => {
	it('brings back who answered, where, under which mode, the tools and the list of things to do', async () => {
		await using work = await stage(
			scripted([
				{
					content: [
						{ type: 'tool_use', name: 'TodoWrite', input: { todos } },
						{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } },
					],
				},
				{ text: 'done' },
			]),
			{ config: { mode: 'acceptEdits' } },
		);
		await work.run('go');
		const resumed = resumeConversation(work.handle.path);
		expect(resumed).toMatchObject({
			model: 'claude-sonnet-4-5',
			provider: 'anthropic',
			todos,
			tools: ['TodoWrite', 'Read'],
		});
		expect(resumed.header).toMatchObject({ cwd: work.config.cwd, gitBranch: 'main' });
		expect(resumed.settings).toMatchObject({ permissionMode: 'acceptEdits' });
		expect(resumed.conversation.messages.map(({ role }) => role)).toEqual([
			'user',
			'assistant',
			'toolResult',
			'toolResult',
			'assistant',
		]);
		expect(resumed.conversation.unanswered).toEqual([]);
	});

	it('calls that were left without an answer get one before the next prompt', async () => {
		await using work = await stage(
			scripted([{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'echo a' } }] }, { text: 'done' }]),
		);
		await work.run('go');
		await work.handle.append({
			kind: 'message',
			role: 'assistant',
			content: [{ type: 'tool_call', id: 'left', name: 'Bash', input: { command: 'echo b' } }],
			response: { id: 'msg_left', model: 'claude-sonnet-4-5', stop: 'tool' },
		});
		await work.handle[Symbol.asyncDispose]();
		const { conversation } = resumeConversation(work.handle.path);
		expect(conversation.unanswered.map(({ id }) => id)).toEqual(['left']);
		await using handle = await openHandle(work.handle.path, { machine: work.scratch.machine });
		const config = { ...work.config, provider: scripted([{ text: 'on' }]) };
		expect((await startRun(handle, conversation, 'more', config).result).outcome).toBe('success');
		const answered = resumeConversation(work.handle.path).conversation.messages.filter(
			(message) => message.role === 'toolResult' && message.toolCallId === 'left',
		);
		expect(answered).toHaveLength(1);
	});
});
