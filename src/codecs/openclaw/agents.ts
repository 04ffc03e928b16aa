/** The commands by which a person resumes a session in pi and in OpenClaw. */
import type { Agent } from '../codec.ts';
import { quoted } from '../shared/places/quoted.ts';

export const agents: readonly Agent[] = [
	{ name: 'pi', resume: ({ cwd, path }) => `cd ${quoted(cwd)} && pi --session ${quoted(path)}` },
	{
		name: 'openclaw',
		ownFolder: true,
		anyFolder: true,
		resume: ({ id }) => `openclaw agent --agent main --session-id ${quoted(id)} --message 'Go on.'`,
	},
];
