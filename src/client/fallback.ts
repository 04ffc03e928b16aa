/** Another model that answers where the one that is asked cannot (`--fallback-model`): after which failures, and what its user is told. */
import type { FailureCode, ModelEvent, Provider } from '../agent/contracts.ts';
import type { ChosenModel } from './model.ts';

/** What another model may do better. A key that is refused, or a conversation that is too long, is nobody's overload. */
const elsewhere: ReadonlySet<FailureCode> = new Set(['overloaded', 'server', 'unknown-model', 'network']);

/** Each request goes to the first one, and to the next where nothing of an answer came. */
export function withFallback(model: ChosenModel, next: ChosenModel): ChosenModel {
	const { provider } = model;
	const wrapped: Provider = {
		...provider,
		async *stream(request, signal) {
			const held: ModelEvent[] = [];
			let begun = false;
			for await (const event of provider.stream(request, signal)) {
				if (!begun && event.type === 'failure' && elsewhere.has(event.failure.code) && !signal.aborted) {
					const names = { asked: `${provider.id}/${request.model}`, other: `${next.provider.id}/${next.name}` };
					const why = event.failure.message;
					yield {
						type: 'response',
						note: `${names.asked} has not answered (${why}): ${names.other} answers in its place`,
					};
					// Also where the request names a model for a sub-agent: it is the provider that cannot answer.
					yield* next.provider.stream({ ...request, model: next.name }, signal);
					return;
				}
				begun ||= event.type !== 'start' && event.type !== 'response';
				if (!begun) {
					held.push(event);
					continue;
				}
				yield* held.splice(0);
				yield event;
			}
			yield* held;
		},
	};
	return { ...model, provider: wrapped };
}
