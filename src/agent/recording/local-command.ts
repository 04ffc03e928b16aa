/** A command of the client itself, as sessions record it. */
import type { Draft } from '../../store/handle/draft.ts';

/** In the three tags that Claude Code's transcripts have for one. */
export function calledCommand(name: string, args: string): Draft {
	const tags = { name: `/${name}`, message: name, args };
	const content = Object.entries(tags).map(([tag, text]) => `<command-${tag}>${text}</command-${tag}>`);
	return {
		kind: 'event',
		event: { type: 'command', name: `/${name}`, args, content: content.join('\n'), level: 'info' },
	};
}
