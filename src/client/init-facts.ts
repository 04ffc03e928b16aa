/** What whoever watches a client is told when a run begins. */
import { compact } from '../model/index.ts';
import type { Station } from './commands/builtin-command.ts';
import type { ClientConfig } from './config.ts';
import type { ClientFacts } from './listener.ts';

export function initFacts(config: ClientConfig, { session, mode, servers, model }: Station): ClientFacts {
	return {
		sessionId: session.handle.session.id,
		permissionMode: mode,
		mcpServers: servers?.status ?? [],
		apiKeySource: model.keySource ?? 'none',
		cwd: config.cwd,
		model: config.model,
		tools: config.tools.filter(({ unlisted }) => !unlisted).map(({ name }) => name),
		slashCommands: config.commands,
		skills: config.skills,
		agents: config.agents?.types.map(({ name }) => name) ?? [],
		window: () => config.compaction?.window,
		...compact({ dirs: config.dirs }),
	};
}
