/** `prompt_suggestion`: the instruction for a guess at what the user says next, how many messages it sees, how long it may be, and its time limit. */
import { textOf } from '../../agent/recording/blocks.ts';
import { consult } from '../../agent/replies/consult.ts';
import type { Client } from '../../client/client.ts';
import type { AgentMessage } from '../../model/index.ts';
import type { FrameOutput } from './frame-output.ts';

const system =
	'You guess what the user of a coding agent says next. Answer with that alone: one short instruction or question in the ' +
	"user's words and language, without quotation marks. Answer with nothing where you cannot tell.";

/** So much of the conversation is looked at. */
const mostMessages = 6;
const longestText = 2000;
const longestSuggestion = 200;
/** Whoever has not answered by then is not waited for. */
const patience = 15_000;

export async function suggestPrompt(client: Client, frames: FrameOutput): Promise<void> {
	const at = client.station();
	if (at.mode === 'plan') return;
	const { messages } = at.session.conversation;
	const text = messages.slice(-mostMessages).map(told).filter(Boolean).join('\n\n');
	const config = await at.config();
	const guess = await consult({ system, text }, config, AbortSignal.timeout(patience), () => undefined);
	if ('problem' in guess) return;
	const [line = ''] = guess.text.split('\n');
	const suggestion = line.trim();
	if (suggestion !== '' && suggestion.length <= longestSuggestion)
		frames.send({ type: 'prompt_suggestion', suggestion });
}

function told(message: AgentMessage): string {
	if (message.role !== 'user' && message.role !== 'assistant') return '';
	const said = textOf(message.content).slice(0, longestText);
	return said === '' ? '' : `${message.role}: ${said}`;
}
