/** What whoever watches a client is told when a run begins. */
import { compact } from '../model/index.ts';
import type { ClientConfig } from './config.ts';
import type { ClientFacts } from './listener.ts';

type Told = Pick<ClientFacts, 'sessionId' | 'permissionMode' | 'mcpServers' | 'apiKeySource'>;

export function initFacts(config: ClientConfig, told: Told): ClientFacts {
	return {
		...told,
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
