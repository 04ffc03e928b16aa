/** What pi and OpenClaw send on resume, in the shape of Anthropic's Messages API: for which model, and with which system prompt. */
import { compact, type EntryId, isObject, type JsonObject, stringAt } from '../../../model/index.ts';
import { toAnthropic } from '../../../wires/anthropic.ts';
import type { Turn } from '../../../wires/prepare.ts';
import type { BuildContext } from '../../shared/context/context.ts';
import { resumedMessages, type Sourced } from './messages.ts';
import { readyMessages, targetOf } from './ready.ts';

export { clients } from './clients.ts';
export { envelope } from './path.ts';

/**
 * The target is the model that answered last, unless one is named: the clients convert what another model said. The
 * shape is always Anthropic's; ids and signatures are those of the target's API.
 */
export const build: BuildContext = (index, options) => {
	const found = resumedMessages(index, options);
	if (found === 'more') return 'more';
	const target = targetOf(found, options);
	const ready = readyMessages(found, target);
	const sent = toAnthropic(
		ready.turns.map((turn) => turn.message),
		target,
		found.rules,
	);
	return compact({
		client: found.rules.client,
		provider: target.provider || undefined,
		model: target.model || undefined,
		system: systemPrompt(found.messages) || undefined,
		messages: sent.messages,
		from: sent.from.map((turns) => entriesOf(turns, ready.turns, found.messages)),
		refused: found.refused ?? ready.refused ?? sent.refused,
	});
};

function entriesOf(turns: readonly number[], messages: readonly Turn[], found: readonly Sourced[]): readonly EntryId[] {
	const ids = turns.flatMap((turn) => messages[turn]?.from ?? []).map((at) => found[at]?.from ?? '');
	return [...new Set(ids)];
}

/** The system prompt from pi's recorded messages: texts add up, sections replace and remove each other by name. */
function systemPrompt(messages: readonly Sourced[]): string {
	const texts: string[] = [];
	const sections = new Map<string, string>();
	for (const { message } of messages) {
		if (message.role !== 'system') continue;
		const text = contentText(message);
		if (text !== '') texts.push(text);
		for (const [name, section] of Object.entries(isObject(message.sections) ? message.sections : {})) {
			if (typeof section === 'string') sections.set(name, section);
			else sections.delete(name);
		}
	}
	return [...texts, ...sections.values()].filter((part) => part !== '').join('\n\n');
}

function contentText(message: JsonObject): string {
	const { content } = message;
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	const texts = content.filter(isObject).filter((block) => block.type === 'text');
	return texts.map((block) => stringAt(block, 'text') ?? '').join('\n');
}
