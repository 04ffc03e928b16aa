/** `offline/replay`: plays a recorded session as the model, which repeats its replies whatever it is asked. */
import type { ModelEvent, Provider } from '../agent/contracts.ts';
import type { RecordedReply } from '../agent/recording/recording.ts';
import { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { type Block, compact, isObject, type Json, type ModelResponse } from '../model/index.ts';
import { apiOf } from '../wires/index.ts';

export interface ReplayProvider extends Provider {
	/** Sets the replies to the next prompt. */
	play(replies: readonly RecordedReply[]): void;
}

export function replayProvider(now: () => number): ReplayProvider {
	let waiting: RecordedReply[] = [];
	return {
		id: 'offline',
		api: 'offline-replay',
		play(replies) {
			waiting = [...replies];
		},
		async *stream(request, signal) {
			const reply = waiting.shift();
			const response = reply?.response ?? {};
			const builder = new ReplyBuilder({ ...sourceOf(response, request.model), now: now() });
			yield builder.start();
			if (!reply || signal.aborted) {
				const message = signal.aborted ? 'interrupted' : 'the recording ends here';
				yield* builder.failed({ code: signal.aborted ? 'aborted' : 'bad-request', message, retry: false });
				return;
			}
			yield { type: 'response', ...compact({ id: response.id, request: response.request }) };
			for (const block of reply.content) yield* play(block, builder);
			count(response, builder);
			yield builder.done(stopOf(reply));
		},
	};
}

function sourceOf({ provider = 'offline', api, model }: ModelResponse, asked: string) {
	return { provider, api: api ?? apiOf(provider), model: model ?? asked };
}

function* play(block: Block, builder: ReplyBuilder): Generator<ModelEvent> {
	const index = builder.message.content.length;
	switch (block.type) {
		case 'text':
			yield builder.textStart();
			yield builder.textDelta(index, block.text);
			yield builder.textEnd(index, block.signature);
			break;
		case 'thinking':
			yield builder.thinkingStart(block.redacted);
			if (block.redacted === undefined && block.text !== '') yield builder.thinkingDelta(index, block.text);
			yield builder.thinkingEnd(index, block.signature);
			break;
		case 'tool_call':
			yield builder.callStart(block.id, block.name);
			yield builder.callDelta(index, JSON.stringify(block.input));
			yield builder.callEnd(index, {
				arguments: argumentsOf(block.input),
				...(block.signature === undefined ? {} : { thoughtSignature: block.signature }),
			});
	}
}

function argumentsOf(input: Json): Record<string, unknown> {
	return isObject(input) ? { ...input } : {};
}

function count({ usage, costUsd }: ModelResponse, builder: ReplyBuilder): void {
	if (!usage) return;
	const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage;
	builder.count({ input, output, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h });
	if (costUsd !== undefined) builder.message.usage.cost.total = costUsd;
}

function stopOf({ content, response }: RecordedReply) {
	if (content.some((block) => block.type === 'tool_call')) return 'toolUse';
	return response.stop === 'length' ? 'length' : 'stop';
}
