/** Translates tool calls to another agent's words; each agent's words are in its codec's `tool-calls.ts`. */
import { CallFields, codecOf, type NamedCall } from '../codecs/index.ts';
import type { FormatId } from '../model/index.ts';

/** A call in another agent's words. `left` names arguments that have no place there and change nothing. */
export interface TranslatedCall extends NamedCall {
	readonly left: readonly string[];
}

/** The call as the agent of `to` would make it; undefined where no tool of its own fits exactly. */
export function translateCall(call: NamedCall, from: FormatId, to: FormatId): TranslatedCall | undefined {
	const source = codecOf(from)?.toolCalls;
	const target = codecOf(to)?.toolCalls;
	if (!source || !target) return undefined;
	const left = source.remarks.filter((name) => call.input[name] !== undefined);
	const fields = new CallFields(call.input, left);
	const deed = source.read(call.name, fields);
	const made = deed && fields.allRead() ? target.write(deed) : undefined;
	return made && { ...made, left };
}
