/** The agents whose sessions have this format, and the command by which a person resumes one there. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'cline', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && cline ${flagged('--id', id)}` },
];
