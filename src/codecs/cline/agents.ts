/** The command by which a person resumes a session in Cline: `cd FOLDER && cline --id ID`. */
import type { Agent } from '../codec.ts';
import { quoted } from '../shared/places/quoted.ts';

export const agents: readonly Agent[] = [
	{ name: 'cline', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && cline --id ${quoted(id)}` },
];
