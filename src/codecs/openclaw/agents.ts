/** The commands by which a person resumes a session in pi and in OpenClaw. */
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
