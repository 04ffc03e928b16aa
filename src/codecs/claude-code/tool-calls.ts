/** Which of Claude Code's tool calls have a neutral meaning, so that they can be translated to another agent's tools and back. */
import { compact } from '../../model/index.ts';
import { type Deed, readCommon, type ToolWords, writeCommon } from '../shared/tool-calls.ts';

export const toolCalls: ToolWords = {
	remarks: ['description'],
	read(name, fields) {
		if (name === 'Bash') {
			return compact({
				does: 'run',
				command: fields.text('command'),
				timeoutMs: fields.optionalCount('timeout'),
			}) as Deed;
		}
		if (name !== 'Grep') return readCommon(name, fields);
		if (fields.text('output_mode') !== 'content') return fields.refuse();
		if (fields.optionalFlag('-n') === undefined) return fields.refuse();
		return compact({
			does: 'grep',
			pattern: fields.text('pattern'),
			path: fields.optionalText('path'),
			glob: fields.optionalText('glob'),
			ignoreCase: fields.optionalFlag('-i'),
			context: fields.optionalCount('-C'),
		}) as Deed;
	},
	write(deed) {
		if (deed.does === 'run') {
			return { name: 'Bash', input: compact({ command: deed.command, timeout: deed.timeoutMs }) };
		}
		if (deed.does !== 'grep') return writeCommon(deed);
		const { pattern, path, glob, ignoreCase, context } = deed;
		const input = compact({ pattern, path, glob, output_mode: 'content', '-n': true, '-i': ignoreCase, '-C': context });
		return { name: 'Grep', input };
	},
};
