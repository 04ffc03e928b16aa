/** What the side files of a Cline session add to its header: folder, title, branch, model, and the session that it was forked or imported from. */
import { compact, type Header, isObject, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { SideFile } from '../../codec.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { prompted } from '../../shared/read/prompt-words.ts';
import { displayHeader, historyHeader, taskHeader } from './vscode.ts';

/** The fields of a side file; none from an unreadable one, which is no reason to refuse the session. */
export function sideHeader(role: SideFile['role'], bytes: Uint8Array, id?: string): Header {
	if (role === 'index') return historyHeader(bytes, id);
	if (role === 'display') return displayHeader(bytes);
	if (role !== 'manifest') return {};
	const { value } = parseRecord(bytes, true);
	if (!value) return {};
	return value.session_id === undefined ? taskHeader(value) : manifestHeader(value);
}

/** The fields of a manifest as far as it has them: one that Cline refuses may still have a folder and a title. */
function manifestHeader(manifest: JsonObject): Header {
	const metadata = objectAt(manifest, 'metadata') ?? {};
	const git = objectAt(metadata, 'git') ?? {};
	const prompt = text(manifest, 'prompt');
	const title = text(metadata, 'title') ?? (prompt && prompted(prompt).text);
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
