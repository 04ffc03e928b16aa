/** The agents whose sessions have this format, and the command by which a person resumes one there. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'pi', resume: ({ cwd, path }) => `cd ${quoted(cwd)} && pi --session ${quoted(path)}` },
	{
		name: 'openclaw',
		ownFolder: true,
		anyFolder: true,
		resume: ({ id }) => `openclaw agent --agent main ${flagged('--session-id', id)} --message 'Go on.'`,
	},
];
