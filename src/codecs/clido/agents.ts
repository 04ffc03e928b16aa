/** The command by which a person resumes a session in Clido: `cd FOLDER && clido --resume ID`. */
import type { Agent } from '../codec.ts';
import { quoted } from '../shared/places/quoted.ts';

export const agents: readonly Agent[] = [
	{ name: 'clido', resume: ({ id, cwd }) => `cd ${quoted(cwd)} && clido --resume ${quoted(id)}` },
];
