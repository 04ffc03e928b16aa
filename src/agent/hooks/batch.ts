/** The hook PostToolBatch: it hears of all calls of a reply together, when each has its result and the model is about to be asked again. */
import type { Json, ToolCall, ToolResultMessage } from '../../model/index.ts';
import { askedCall } from '../calls/circumstances.ts';
import type { BatchedCall, HookAnswer, HookPoints } from '../contracts.ts';
import { type HookScene, runHooks } from './run-hooks.ts';

export async function tellBatch(
	scene: HookScene,
	calls: readonly ToolCall[],
	results: readonly ToolResultMessage[],
): Promise<readonly (HookPoints['PostToolBatch']['out'] & HookAnswer)[]> {
	if (!scene.config.hooks?.some(({ on }) => on === 'PostToolBatch')) return [];
	const batch = results.flatMap((result): readonly BatchedCall[] => {
		const call = calls.find(({ id }) => id === result.toolCallId);
		if (!call) return [];
		const input = call.arguments as Json;
		const tool = scene.config.tools.find(({ name }) => name === call.name);
		const named = tool ? askedCall(tool, input) : { tool: call.name, input };
		return [{ id: call.id, ...named, content: result.content }];
	});
	return await runHooks(scene, 'PostToolBatch', { batch });
}
