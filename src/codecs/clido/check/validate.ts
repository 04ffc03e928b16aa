/** Checks a Clido session: what its client refuses, what it reads differently from the document, and what is amiss. */
import type { JsonObject } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { sayingOf } from '../../shared/check/rules.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import { refuseLine } from '../context/strict.ts';
import type { LineType } from '../lines.ts';
import {
	clientExitWords,
	isAbsolutePath,
	isBareId,
	isPublishedTime,
	publishedExitWords,
	subtypes,
} from '../write/words.ts';
import { toolChecks } from './calls.ts';
import { flawEffects } from './rules.ts';

export function validator(report: Report): LineValidator {
	const whole = wholeFile(report);
	const tools = toolChecks(report);
	return {
		visit(line) {
			if (line.flaws.length > 0) reportFlaws('clido', flawEffects, line, report);
			if (!line.value) return;
			const type = refuseLine(line, line.value, report);
			whole.visit(type, line.value, line);
			if (type === undefined) return;
			checkSpelling(type, line.value, report);
			tools.visit(type, line.value, line);
		},
		end() {
			tools.end();
			whole.end();
		},
	};
}

/** Checks the order of lines, and whether the client would list the session. */
function wholeFile(report: Report) {
	let lines = 0;
	let metas = 0;
	let prompts = 0;
	let lastTurns: number | undefined;
	/** The last result line, and whether other lines follow it. A session that goes on gets another one per run. */
	let result: Position | undefined;
	let followed = false;
	return {
		visit(type: LineType | undefined, value: JsonObject, line: Line): void {
			lines += 1;
			followed = result !== undefined;
			if (type === 'meta') {
				metas += 1;
				if (metas === 1 && lines > 1) say(report, 'meta-first');
				if (metas > 1) say(report, 'published/meta-once');
			} else if (type === 'user_message') prompts += 1;
			else if (type === 'result') {
				result = positionOf(line);
				followed = false;
				if (typeof value.num_turns === 'number') lastTurns = value.num_turns;
			}
		},
		end(): void {
			if (lines === 0) return;
			if (result && followed) say(report, 'published/result-last', { at: result });
			if (metas === 0)
				report('clido/meta-first', 'there is no `meta` line: Clido does not list this session', { at: null });
			if ((lastTurns ?? prompts) > 0) return;
			const why = lastTurns === 0 ? 'the last `result` counts no turns' : 'nobody has said anything yet';
			report('clido/not-listed', `${why}: Clido does not list this session, and may delete it`, { at: null });
		},
	};
}

const say = sayingOf('clido', {
	'meta-first': ['`meta` is not the first line: Clido does not list this session; move the line to the top'],
	'path-resolved': ['`path` is relative: Clido looks for it from where it runs', 'path'],
	'hash-bare': ['`content_hash` is not 64 lower-case hex digits: Clido reports the file as changed', 'content_hash'],
	'stale-fields': ['`content_hash` without `path` and `mtime_nanos`: Clido does not watch this file for changes'],
	'published/meta-once': ['a second `meta` line: Clido writes one when it forks a session'],
	'published/result-last': ['lines follow the last `result`, which the document has as the last line of a session'],
	'published/title': ['the document knows no `title` lines; Clido writes them'],
	'published/session-id': ['`session_id` is not 32 hex digits without hyphens; Clido writes hyphens', 'session_id'],
	'published/start-time': ['`start_time` is not a UTC time ending in Z; Clido writes +00:00', 'start_time'],
	'published/project-path': ['`project_path` is not absolute: the project depends on where Clido runs', 'project_path'],
	'published/hash': ['`content_hash` is not `sha256:` and 64 hex digits; Clido writes bare hex', 'content_hash'],
});

function checkSpelling(type: LineType, value: JsonObject, report: Report): void {
	const { role, subtype } = value;
	if (type === 'meta') checkMeta(value, report);
	else if (type === 'tool_result') checkFileState(value, report);
	else if (type === 'result') checkExit(value, report);
	else if (type === 'title') say(report, 'published/title');
	else if (type === 'user_message' && typeof role === 'string' && role !== 'user') {
		const message = `\`role\` is ${JSON.stringify(role)}, not "user"; Clido takes it as "user"`;
		report('clido/published/role', message, { path: 'role' });
	} else if (type === 'system') {
		if (value.message === null) nullField('message', report);
		if (typeof subtype !== 'string' || subtypes.has(subtype)) return;
		const message = `\`subtype\` is ${JSON.stringify(subtype)}, not one of ${listed(subtypes)}`;
		report('clido/published/subtype', message, { path: 'subtype' });
	}
}

function checkMeta(value: JsonObject, report: Report): void {
	const { session_id: id, schema_version: version, start_time: time, project_path: path } = value;
	if (typeof id === 'string' && !isBareId(id)) say(report, 'published/session-id');
	if (typeof version === 'number' && version < 1)
		report('clido/published/schema-version', `\`schema_version\` is ${version}, not 1`, { path: 'schema_version' });
	if (typeof time === 'string' && !isPublishedTime(time)) say(report, 'published/start-time');
	if (typeof path === 'string' && !isAbsolutePath(path)) say(report, 'published/project-path');
}

const fileFields = ['path', 'content_hash', 'mtime_nanos'];

function checkFileState(value: JsonObject, report: Report): void {
	if (value.duration_ms === null) nullField('duration_ms', report);
	for (const field of fileFields) if (value[field] === null) nullField(field, report);
	const { path, content_hash: hash, mtime_nanos: time } = value;
	// Without a hash Clido compares nothing, and nothing is missing: that is how results say which file they are of.
	if (typeof hash === 'string' && (path === undefined || time === undefined)) say(report, 'stale-fields');
	if (typeof path === 'string' && !isAbsolutePath(path)) say(report, 'path-resolved');
	if (typeof hash !== 'string') return;
	if (!/^sha256:[0-9a-f]{64}$/.test(hash)) say(report, 'published/hash');
	if (!/^[0-9a-f]{64}$/.test(hash)) say(report, 'hash-bare');
}

function nullField(field: string, report: Report): void {
	report('clido/published/null-field', `\`${field}\` is null; the document leaves it out`, { path: field });
}

function checkExit(value: JsonObject, report: Report): void {
	const status = value.exit_status;
	if (typeof status !== 'string') return;
	const where = { path: 'exit_status' };
	const is = `\`exit_status\` is ${JSON.stringify(status)}`;
	if (!publishedExitWords.has(status))
		report('clido/published/exit-status', `${is}, not one of ${listed(publishedExitWords)}`, where);
	if (!clientExitWords.has(status)) report('clido/exit-word', `${is}, which is no word of Clido's own`, where);
}

function listed(words: ReadonlySet<string>): string {
	return [...words].join(', ');
}
