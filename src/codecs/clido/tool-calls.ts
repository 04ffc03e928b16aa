/** Clido's tools in neutral words: the names and arguments are Claude Code's. */
import { readCommon, type ToolWords, writeCommon } from '../shared/tool-calls.ts';

export const toolCalls: ToolWords = {
	remarks: [],
	read: (name, fields) =>
		name === 'Bash' ? { does: 'run', command: fields.text('command') } : readCommon(name, fields),
	write(deed) {
		if (deed.does !== 'run') return writeCommon(deed);
		return deed.timeoutMs === undefined ? { name: 'Bash', input: { command: deed.command } } : undefined;
	},
};
