/** How a prompt that calls a command enters the session: what is written down of it, what the model is told beside it, and the skills that a sub-agent is told at its start. */

import type { ImageContent } from '../model/index.ts';
import { callBeside } from './calls/run-tools.ts';
import type { Prompt } from './config.ts';
import type { Expansion } from './contracts.ts';
import { textOf } from './recording/blocks.ts';

export type ExpandedPrompt =
	| { readonly recorded: Prompt; readonly texts: readonly string[] }
	/** Why it stands for nothing now. */
	| { readonly problem: string };

/** Tools that run for the command do so before the prompt is a part of the conversation. */
export async function expandPrompt(
	prompt: Prompt,
	scene: Omit<Parameters<typeof callBeside>[2], 'prompt'>,
): Promise<ExpandedPrompt> {
	const { config, journal, conversation } = scene;
	const call: Expansion['call'] = (tool, input) => callBeside(tool, input, { ...scene, prompt: undefined });
	// A sub-agent is told by a model what to do: that is no call of a command. Its skills it is told once.
	if (config.agent) {
		const skills = conversation.messages.length === 0 ? (config.skillsAtStart ?? []) : [];
		const texts: string[] = [];
		for (const name of skills) {
			const skill = await config.expand?.(`/${name}`, { by: 'agent', call });
			if (skill) texts.push(...('problem' in skill ? [skill.problem] : skill.texts));
		}
		return { recorded: prompt, texts };
	}
	const expanded = await config.expand?.(textOf(prompt), { by: 'user', call });
	if (!expanded) return { recorded: prompt, texts: [] };
	if ('problem' in expanded) return expanded;
	const text = expanded.command && journal.commandText(expanded.command);
	const { named } = expanded;
	if (named) config.observe?.({ type: 'named', files: named });
	const pictures = (named?.along ?? []).flatMap(({ picture }) => picture ?? []);
	return {
		recorded: withPictures(text === undefined ? prompt : saying(text, prompt), pictures),
		texts: expanded.texts,
	};
}

function withPictures(prompt: Prompt, pictures: readonly ImageContent[]): Prompt {
	if (pictures.length === 0) return prompt;
	return [...(typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt), ...pictures];
}

/** The pictures of a prompt stay. */
function saying(text: string, prompt: Prompt): Prompt {
	if (typeof prompt === 'string') return text;
	return [{ type: 'text', text }, ...prompt.filter(({ type }) => type !== 'text')];
}
