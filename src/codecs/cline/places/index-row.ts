/** The row for a session in Cline's own index, so that its other programs list it too. */
import { booleanAt, isObject, numberAt, objectAt, stringAt } from '../../../model/index.ts';
import type { Machine, SessionIndex } from '../../codec.ts';
import { pathsFor } from '../../shared/places/paths.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { dataFolder, variable } from './locate.ts';

function indexPath(machine: Machine): string {
	const { join } = pathsFor(machine);
	return join(variable(machine, 'CLINE_DB_DATA_DIR') ?? join(dataFolder(machine), 'db'), 'sessions.db');
}

/** The columns of the table as Cline 3.0.65 makes it. */
const columns: readonly string[] = [
	'session_id',
	'source',
	'pid',
	'started_at',
	'ended_at',
	'exit_code',
	'status',
	'status_lock',
	'interactive',
	'provider',
	'model',
	'cwd',
	'workspace_root',
	'team_name',
	'enable_tools',
	'enable_spawn',
	'enable_teams',
	'parent_session_id',
	'parent_agent_id',
	'agent_id',
	'conversation_id',
	'is_subagent',
	'prompt',
	'metadata_json',
	'transcript_path',
	'hook_path',
	'messages_path',
	'updated_at',
];

/** The values from the manifest, in the order of the columns. */
function indexRow(manifest: Uint8Array): readonly (string | number | null)[] | undefined {
	const { value } = parseRecord(manifest, true);
	if (!isObject(value)) return undefined;
	const text = (name: string): string => stringAt(value, name) ?? '';
	const flag = (name: string): number => (booleanAt(value, name) ? 1 : 0);
	const row: { readonly [column: string]: string | number | null } = {
		session_id: text('session_id'),
		source: text('source'),
		pid: numberAt(value, 'pid') ?? 0,
		started_at: text('started_at'),
		ended_at: stringAt(value, 'ended_at') ?? null,
		exit_code: numberAt(value, 'exit_code') ?? null,
		status: text('status'),
		status_lock: 0,
		interactive: flag('interactive'),
		provider: text('provider'),
		model: text('model'),
		cwd: text('cwd'),
		workspace_root: text('workspace_root'),
		enable_tools: flag('enable_tools'),
		enable_spawn: flag('enable_spawn'),
		enable_teams: flag('enable_teams'),
		is_subagent: 0,
		prompt: stringAt(value, 'prompt') ?? null,
		metadata_json: JSON.stringify(objectAt(value, 'metadata') ?? {}),
		transcript_path: '',
		hook_path: '',
		messages_path: stringAt(value, 'messages_path') ?? null,
		updated_at: stringAt(value, 'ended_at') ?? text('started_at'),
	};
	return columns.map((column) => row[column] ?? null);
}

export const sessionIndex: SessionIndex = {
	path: indexPath,
	table: 'sessions',
	columns,
	role: 'manifest',
	row: indexRow,
};
