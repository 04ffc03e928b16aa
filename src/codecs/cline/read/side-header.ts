/** What the files beside a session add to its header. */
import { compact, type Header, isObject, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { SideFile } from '../../codec.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { displayHeader, historyHeader, taskHeader } from './vscode.ts';

/** A file that cannot be read adds nothing: what it says is not worth refusing the session for. */
export function sideHeader(role: SideFile['role'], bytes: Uint8Array, id?: string): Header {
	if (role === 'index') return historyHeader(bytes, id);
	if (role === 'display') return displayHeader(bytes);
	if (role !== 'manifest') return {};
	const { value } = parseRecord(bytes, true);
	if (!value) return {};
	return value.session_id === undefined ? taskHeader(value) : manifestHeader(value);
}

/** As much of a manifest as is there: one that Cline does not take has a folder and a title still. */
function manifestHeader(manifest: JsonObject): Header {
	const metadata = objectAt(manifest, 'metadata') ?? {};
	const git = objectAt(metadata, 'git') ?? {};
	const title = text(metadata, 'title') ?? text(manifest, 'prompt');
	return compact({
		cwd: text(manifest, 'cwd'),
		title: title?.trim(),
		created: text(manifest, 'started_at'),
		gitBranch: text(git, 'branch'),
		model: text(manifest, 'model'),
		provider: text(manifest, 'provider'),
		from: originOf(metadata),
	});
}

function text(object: JsonObject, key: string): string | undefined {
	return stringAt(object, key) || undefined;
}

function originOf(metadata: JsonObject): Header['from'] {
	const fork = objectAt(metadata, 'fork');
	const forked = fork && text(fork, 'forkedFromSessionId');
	if (forked !== undefined) return { how: 'fork', session: forked };
	const imported = isObject(metadata.importedFrom) ? metadata.importedFrom : undefined;
	const session = imported && (text(imported, 'sessionId') ?? text(imported, 'path') ?? text(imported, 'tool'));
	return session === undefined ? undefined : { how: 'import', session };
}
