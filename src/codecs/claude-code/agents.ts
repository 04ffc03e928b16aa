/** The command by which a person resumes a session in Claude Code: `cd FOLDER && claude --resume ID`. */
import type { Agent } from '../codec.ts';
import { quoted } from '../shared/places/quoted.ts';

export const agents: readonly Agent[] = [
	{ name: 'claude-code', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && claude --resume ${quoted(id)}` },
];
