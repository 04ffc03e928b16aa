/** The command by which a person resumes a session in Cline: `cd FOLDER && cline --id ID`. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'cline', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && cline ${flagged('--id', id)}` },
];
