/** Mends the beginning of pi's files: without a header the clients refuse or overwrite them. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { each, lossNote, type Remedy, type RepairFile } from '../../shared/check/repair.ts';
import { deriveHex, deriveUuid } from '../../shared/write/derive.ts';
import { isLinear } from './repair-thread.ts';

export const headerRemedy: Remedy = {
	rules: ['openclaw/bare', 'openclaw/header-first'],
	does: 'A file without its header line gets one; a header further below goes to the top.',
	mend(edits, [problem]) {
		const { lines, options } = edits.file;
		const first = lines.find((line) => line.value);
		const rule = problem?.rule ?? '';
		if (!first) return;
		const header = lines.find((line) => line.value?.type === 'session');
		if (header) {
			edits.insertBefore(first.index, header.bytes, { rule, what: 'moved the session header to the top' });
			edits.remove(header.index, { rule, what: 'moved the session header away from here' });
			return;
		}
		const line = {
			type: 'session',
			...(isLinear(edits.file) ? {} : { version: 3 }),
			id: sessionId(options.id),
			timestamp: startOf(edits.file),
			cwd: options.cwd,
		};
		const invented = 'id, start time and folder of the session';
		edits.insertBefore(first.index, line, lossNote(rule, 'added a session header', 'invented', invented));
	},
};

export const headerIdRemedy: Remedy = {
	rules: ['openclaw/header-id'],
	does: 'A header without an id gets the one that the file is named after.',
	mend: each((edits, { index, rule }) => {
		const note = lossNote(rule, 'gave the session an id', 'invented', 'the id of the session');
		edits.set(index, ['id'], sessionId(edits.file.options.id), note);
	}),
};

/** The id in a file's name: pi's names are time and id, OpenClaw's only the id. */
function sessionId(stem: string): string {
	const id = /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)$/.exec(stem)?.[1] ?? stem;
	return /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id) ? id : deriveUuid('repaired session', stem);
}

function startOf(file: RepairFile): string {
	for (const { value } of file.lines) {
		const time = value && timeOf(value);
		if (time !== undefined) return time;
	}
	return file.options.time;
}

/** The time of a line, or of the message in it. */
export function timeOf(value: JsonObject): string | undefined {
	const own = stringAt(value, 'timestamp');
	if (own !== undefined && !Number.isNaN(Date.parse(own))) return own;
	const message = typeof value.message === 'object' && value.message !== null ? (value.message as JsonObject) : value;
	const ms = message.timestamp;
	return typeof ms === 'number' && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

export const bareRemedy: Remedy = {
	rules: ['openclaw/bare-line'],
	does: 'A bare message below a header is wrapped in a line of its own, its bytes unchanged inside.',
	mend(edits, problems) {
		const { file } = edits;
		const rule = 'openclaw/bare-line';
		const wanted = new Set(problems.map((problem) => problem.index));
		const linear = isLinear(file);
		let last: string | null = null;
		let base: string | null | undefined;
		for (const line of file.lines) {
			const { index, value } = line;
			if (!value || value.type === 'session') continue;
			if (wanted.has(index)) {
				base ??= last;
				const id = deriveHex(8, 'repaired line', file.options.id, String(line.line));
				const links = linear ? '' : `"id":"${id}","parentId":${JSON.stringify(last)},`;
				const time = timeOf(value);
				const stamp = time === undefined ? '' : `"timestamp":${JSON.stringify(time)},`;
				const inner = Buffer.from(line.bytes).toString('utf8').trim();
				const note = lossNote(rule, 'wrapped a bare message in a line', 'invented', 'id and parent of the line', 'id');
				edits.change(index, () => Buffer.from(`{"type":"message",${links}${stamp}"message":${inner}}\n`, 'utf8'), note);
				last = id;
				continue;
			}
			// What followed the line before the bare ones now follows the last of them.
			if (base !== undefined && !linear && value.parentId === base) {
				edits.set(index, ['parentId'], last, { rule, what: 'follows the wrapped messages' });
			}
			base = undefined;
			last = stringAt(value, 'id') ?? last;
		}
	},
};
