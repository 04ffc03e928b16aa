/** Options that commands about many sessions share: --all, --project, --agent, --since, --until, and which project counts without them. */
import { type Command, Option } from 'commander';
import type { PeriodQuery, SessionQuery } from '../catalog/sessions-here.ts';
import { compact } from '../model/index.ts';
import { agents } from '../move/agents.ts';
import { folderTree, type Project } from '../store/find/project.ts';
import { complain } from '../terminal/prose.ts';
import { currentProject, type Period, parsePeriod } from './many-sessions.ts';

export interface SessionOptions {
	readonly all?: boolean;
	readonly project?: string;
	readonly agent?: string;
}

export interface PeriodOptions {
	readonly since?: Period;
	readonly until?: Period;
}

export function sessionOptions(command: Command): Command {
	return command
		.addOption(new Option('--all', 'sessions of all projects, not only of this one').conflicts('project'))
		.option('--project <folder>', 'sessions of this folder and those below it')
		.addOption(new Option('--agent <name>', 'only sessions of this agent').choices(agents.map(({ name }) => name)));
}

/** `what`: what has to be of that time, such as `used` or `said`. */
export function periodOptions(command: Command, what: string): Command {
	const since = `${what} on this day or later: 2026-03-09, 2026-03, today, 7d, 2w, 3m`;
	return command
		.option('--since <when>', since, parsePeriod)
		.option('--until <when>', `${what} up to and including this day`, parsePeriod);
}

/** The options as the library takes them. */
export function queryOf(options: SessionOptions & PeriodOptions): SessionQuery & PeriodQuery {
	const { agent, since, until } = options;
	const project = projectOf(options);
	return { warn: complain, ...compact({ project, agent, since: since?.from, until: until?.to }) };
}

/** The project whose sessions are meant; undefined for all. */
export function projectOf({ all, project }: SessionOptions): Project | undefined {
	if (all) return undefined;
	return project === undefined ? currentProject() : folderTree(project);
}
