/** Lines beside the conversation graph: titles, settings, snapshots, queue operations, costs, recorded requests. */
import {
	type CheckpointEntry,
	type Entry,
	type FileSnapshot,
	isObject,
	type Json,
	type JsonObject,
	numberAt,
	objectAt,
	type SessionEvent,
	type Settings,
	stringAt,
} from '../../../model/index.ts';
import type { Line } from '../../shared/read/line.ts';
import { isCollapseType, settingFields } from '../lines.ts';
import { base, fields, timeOf } from './common.ts';

const none = fields();
const summaryFields = fields('summary', 'leafUuid');
const leafFields = fields('leafUuid');
const queueFields = fields('operation', 'content', 'reason');
const prLinkFields = fields('prNumber', 'prUrl', 'prRepository');
/** The snapshot itself stays a field too: a client notes more about its copies than a neutral checkpoint has names for. */
const snapshotFields = fields('isSnapshotUpdate');

export function besideEntry(line: Line, value: JsonObject, type: string): Entry {
	switch (type) {
		case 'summary':
			return summary(line, value);
		case 'file-history-snapshot':
			return snapshot(line, value);
		case 'file-history-delta':
			return delta(line, value);
		case 'queue-operation':
			return queueOperation(line, value);
		case 'pr-link':
			return prLink(line, value);
		case 'last-prompt':
			return { ...base(line, value, leafFields), kind: 'leaf', target: stringAt(value, 'leafUuid') ?? null };
		case 'cost-state':
			return wholeEvent(line, value, costEvent(value));
		case 'api-request-shape':
		case 'api-request-blob':
		case 'api-request':
			return wholeEvent(line, value, { type: 'request', of: type, data: value });
		case 'tools-used':
		case 'atis-latch':
			return wholeEvent(line, value, { type: 'custom', of: type, data: value });
	}
	if (isCollapseType(type)) return wholeEvent(line, value, { type: 'collapse', of: type, data: value });
	return opaque(line, value, type);
}

export function opaque(line: Line, value: JsonObject, type: string): Entry {
	return { ...base(line, value, none), kind: 'opaque', type };
}

function wholeEvent(line: Line, value: JsonObject, event: SessionEvent): Entry {
	return { ...base(line, value), kind: 'event', event };
}

function costEvent(value: JsonObject): SessionEvent {
	const costUsd = numberAt(value, 'totalCostUSD');
	return { type: 'cost', data: value, ...(costUsd === undefined ? {} : { costUsd }) };
}

function summary(line: Line, value: JsonObject): Entry {
	const text = stringAt(value, 'summary');
	if (text === undefined) return opaque(line, value, 'summary');
	const leaf = stringAt(value, 'leafUuid');
	return {
		...base(line, value, summaryFields),
		kind: 'summary',
		of: 'conversation',
		text,
		...(leaf === undefined ? {} : { leaf }),
	};
}

/** A one-value line. `titled`: the user has named the session already, so that a made-up title changes nothing. */
export function settingEntry(line: Line, value: JsonObject, type: string, titled: boolean): Entry {
	const field = settingFields[type] ?? type;
	const set = settings(type, value[field]);
	if (!set || (type === 'ai-title' && titled)) {
		return wholeEvent(line, value, { type: 'custom', of: type, data: value });
	}
	// A made-up title keeps its field, to be told from the user's own when it is written again.
	const known = type === 'ai-title' ? none : fields(field);
	return { ...base(line, value, known), kind: 'setting', set };
}

function settings(type: string, value: Json | undefined): Settings | undefined {
	if (typeof value !== 'string') return type === 'tag' && value === null ? { tag: null } : undefined;
	switch (type) {
		case 'mode':
			return { mode: value };
		case 'permission-mode':
			return { permissionMode: value };
		case 'custom-title':
		case 'ai-title':
			return { title: value };
		case 'agent-name':
			return { agentName: value };
		case 'agent-color':
			return { agentColor: value };
		case 'tag':
			return { tag: value };
		default:
			return undefined;
	}
}

function queueOperation(line: Line, value: JsonObject): Entry {
	const operation = stringAt(value, 'operation');
	if (operation === undefined) return opaque(line, value, 'queue-operation');
	const content = stringAt(value, 'content');
	const reason = stringAt(value, 'reason');
	return {
		...base(line, value, queueFields),
		kind: 'event',
		event: {
			type: 'queue',
			operation,
			...(content === undefined ? {} : { content }),
			...(reason === undefined ? {} : { reason }),
		},
	};
}

function prLink(line: Line, value: JsonObject): Entry {
	const number = numberAt(value, 'prNumber');
	const url = stringAt(value, 'prUrl');
	if (number === undefined || url === undefined) return opaque(line, value, 'pr-link');
	const repository = stringAt(value, 'prRepository');
	return {
		...base(line, value, prLinkFields),
		kind: 'event',
		event: { type: 'pr_link', number, url, ...(repository === undefined ? {} : { repository }) },
	};
}

function snapshot(line: Line, value: JsonObject): Entry {
	const taken = objectAt(value, 'snapshot');
	const backups = taken && objectAt(taken, 'trackedFileBackups');
	if (!backups) return opaque(line, value, 'file-history-snapshot');
	const files: FileSnapshot[] = [];
	for (const path in backups) files.push({ path, state: fileState(backups[path]) });
	const of = stringAt(taken, 'messageId') ?? stringAt(value, 'messageId');
	return checkpoint(line, value, snapshotFields, {
		of,
		time: stringAt(taken, 'timestamp'),
		update: value.isSnapshotUpdate === true,
		files,
	});
}

function delta(line: Line, value: JsonObject): Entry {
	const path = stringAt(value, 'trackingPath');
	if (path === undefined) return opaque(line, value, 'file-history-delta');
	return checkpoint(line, value, none, {
		of: stringAt(value, 'snapshotMessageId'),
		time: stringAt(value, 'timestamp'),
		update: true,
		files: [{ path, state: fileState(value.backup) }],
	});
}

function checkpoint(
	line: Line,
	value: JsonObject,
	known: ReadonlySet<string>,
	taken: { of: string | undefined; time: string | undefined; update: boolean; files: readonly FileSnapshot[] },
): CheckpointEntry {
	const time = timeOf(taken.time);
	return {
		...base(line, value, known),
		...(time === undefined ? {} : { time }),
		kind: 'checkpoint',
		update: taken.update,
		files: taken.files,
		...(taken.of === undefined ? {} : { of: taken.of }),
	};
}

/** The file's text itself, the name of a copy, or nothing where there was no file. */
function fileState(backup: Json | undefined): FileSnapshot['state'] {
	if (typeof backup === 'string') return { is: 'inline', text: backup };
	if (!isObject(backup)) return { is: 'absent' };
	const version = numberAt(backup, 'version');
	if (typeof backup.backupFileName !== 'string') return { is: 'absent', ...(version === undefined ? {} : { version }) };
	const time = timeOf(stringAt(backup, 'backupTime'));
	return {
		is: 'backup',
		name: backup.backupFileName,
		...(version === undefined ? {} : { version }),
		...(time === undefined ? {} : { time }),
	};
}
