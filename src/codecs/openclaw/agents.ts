/** The commands by which a person resumes a session in pi and in OpenClaw, and the tools that OpenClaw has. */
import { flagged, quoted } from '../../model/quoted.ts';
import type { Agent } from '../codec.ts';

export const agents: readonly Agent[] = [
	{ name: 'pi', resume: ({ cwd, path }) => `cd ${quoted(cwd)} && pi --session ${quoted(path)}` },
	{
		name: 'openclaw',
		ownFolder: true,
		anyFolder: true,
		// What the user has switched off is left out, too. That differs between machines, so it is not known here.
		knows: (
			'read write edit apply_patch exec process code_execution web_search web_fetch x_search memory_search memory_get ' +
			'sessions_list sessions_history sessions_send sessions_spawn sessions_yield subagents session_status browser canvas ' +
			'message heartbeat_respond cron gateway nodes agents_list get_goal create_goal update_goal update_plan ' +
			'skill_workshop image image_generate music_generate video_generate tts'
		).split(' '),
		resume: ({ id }) => `openclaw agent --agent main ${flagged('--session-id', id)} --message 'Go on.'`,
	},
];
