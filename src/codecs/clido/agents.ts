/** The agents whose sessions have this format, and the command by which a person resumes one there. */
import type { Agent } from '../codec.ts';
import { quoted } from '../shared/places/quoted.ts';

export const agents: readonly Agent[] = [
	{ name: 'clido', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && clido --resume ${quoted(id)}` },
];
