/** Lines beside the conversation graph: titles, settings, snapshots, queue operations, costs, recorded requests. */
import {
	compact,
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
import { base, fields, opaque, timeOf } from './common.ts';

const none = fields();
const summaryFields = fields('summary', 'leafUuid');
const leafFields = fields('leafUuid');
const queueFields = fields('operation', 'content', 'reason');
const prLinkFields = fields('prNumber', 'prUrl', 'prRepository');
/** The snapshot is kept as a field too: the client notes more about its copies than a neutral checkpoint holds. */
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
			return wholeEvent(line, value, {
				type: 'cost',
				data: value,
				...compact({ costUsd: numberAt(value, 'totalCostUSD') }),
			});
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

function wholeEvent(line: Line, value: JsonObject, event: SessionEvent): Entry {
	return { ...base(line, value), kind: 'event', event };
}

function summary(line: Line, value: JsonObject): Entry {
	const text = stringAt(value, 'summary');
	if (text === undefined) return opaque(line, value, 'summary');
	const leaf = compact({ leaf: stringAt(value, 'leafUuid') });
	return { ...base(line, value, summaryFields), kind: 'summary', of: 'conversation', text, ...leaf };
}

/** The entry of a one-value line. `titled`: the user has named the session, so a made-up title changes nothing. */
export function settingEntry(line: Line, value: JsonObject, type: string, titled: boolean): Entry {
	const field = settingFields[type] ?? type;
	const set = settings(field, value[field]);
	if (!set || (type === 'ai-title' && titled)) {
		return wholeEvent(line, value, { type: 'custom', of: type, data: value });
	}
	// A made-up title keeps its field, so that it is not written again as the user's own.
	const known = type === 'ai-title' ? none : fields(field);
	return { ...base(line, value, known), kind: 'setting', set };
}

/** The setting for a field: the client's names are ours, but for its two names for a title. */
function settings(field: string, value: Json | undefined): Settings | undefined {
	if (typeof value !== 'string' && !(field === 'tag' && value === null)) return undefined;
	return { [field === 'customTitle' || field === 'aiTitle' ? 'title' : field]: value };
}

function queueOperation(line: Line, value: JsonObject): Entry {
	const operation = stringAt(value, 'operation');
	if (operation === undefined) return opaque(line, value, 'queue-operation');
	const said = compact({ content: stringAt(value, 'content'), reason: stringAt(value, 'reason') });
	return { ...base(line, value, queueFields), kind: 'event', event: { type: 'queue', operation, ...said } };
}

function prLink(line: Line, value: JsonObject): Entry {
	const number = numberAt(value, 'prNumber');
	const url = stringAt(value, 'prUrl');
	if (number === undefined || url === undefined) return opaque(line, value, 'pr-link');
	const repository = compact({ repository: stringAt(value, 'prRepository') });
	return { ...base(line, value, prLinkFields), kind: 'event', event: { type: 'pr_link', number, url, ...repository } };
}

function snapshot(line: Line, value: JsonObject): Entry {
	const taken = objectAt(value, 'snapshot');
	const backups = taken && objectAt(taken, 'trackedFileBackups');
	if (!backups) return opaque(line, value, 'file-history-snapshot');
	const files: FileSnapshot[] = [];
	for (const path in backups) files.push({ path, state: fileState(backups[path]) });
	return {
		...base(line, value, snapshotFields),
		kind: 'checkpoint',
		update: value.isSnapshotUpdate === true,
		files,
		...compact({
			time: timeOf(stringAt(taken, 'timestamp')),
			of: stringAt(taken, 'messageId') ?? stringAt(value, 'messageId'),
		}),
	};
}

function delta(line: Line, value: JsonObject): Entry {
	const path = stringAt(value, 'trackingPath');
	if (path === undefined) return opaque(line, value, 'file-history-delta');
	const files = [{ path, state: fileState(value.backup) }];
	const of = compact({ of: stringAt(value, 'snapshotMessageId') });
	return { ...base(line, value, none), kind: 'checkpoint', update: true, files, ...of };
}

/** A file's state: its text, the name of a copy, or nothing where there was no file. */
function fileState(backup: Json | undefined): FileSnapshot['state'] {
	if (typeof backup === 'string') return { is: 'inline', text: backup };
	if (!isObject(backup)) return { is: 'absent' };
	const { backupFileName: name } = backup;
	const version = numberAt(backup, 'version');
	if (typeof name !== 'string') return { is: 'absent', ...compact({ version }) };
	return { is: 'backup', name, ...compact({ version, time: timeOf(stringAt(backup, 'backupTime')) }) };
}
