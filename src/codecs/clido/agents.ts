/** The command by which a person resumes a session in Clido: `cd FOLDER && clido --resume ID`. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'clido', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && clido ${flagged('--resume', id)}` },
];
