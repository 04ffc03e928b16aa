/** Frames that say that something is still at work. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/events.ts';
import type { Frame } from './frames.ts';
import { parseFrame } from './parse.ts';
import { ProgressFrames } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a call is told of every 30 s until it has ended, and no other', () => {
	const sent: Frame[] = [];
	using progress = new ProgressFrames((frame) => sent.push({ ...frame, uuid: 'u', session_id: 's' }));
	const call = { toolCallId: 'c1', toolName: 'Bash' };
	progress.event({ type: 'tool_execution_start', ...call, args: {} } as AgentEvent);
	progress.event({ type: 'tool_execution_start', toolCallId: 'c2', toolName: 'Read', args: {} } as AgentEvent);
	progress.event({ type: 'tool_execution_end', toolCallId: 'c2', toolName: 'Read', result: {}, isError: false });
	vi.advanceTimersByTime(65_000);
	progress.event({ type: 'tool_execution_end', ...call, result: {}, isError: false });
	vi.advanceTimersByTime(65_000);
	expect(sent).toMatchObject([
		{ type: 'tool_progress', tool_use_id: 'c1', tool_name: 'Bash', elapsed_time_seconds: 30 },
		{ type: 'tool_progress', tool_use_id: 'c1', elapsed_time_seconds: 60 },
	]);
	expect(sent.map((frame) => parseFrame(frame).is)).toEqual(['frame', 'frame']);
});
