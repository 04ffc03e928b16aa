/** The command by which a person resumes a session in Claude Code: `cd FOLDER && claude --resume ID`. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'claude-code', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && claude ${flagged('--resume', id)}` },
];
