/** Mends the beginning of pi's files: without a header the clients refuse or overwrite them. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import { Edits, lineOf, type Remedy, type RepairFile } from '../../shared/check/repair.ts';
import { deriveHex, deriveUuid } from '../../shared/write/derive.ts';
import { dialectOf, isBareLine } from '../lines.ts';

/** True for files of version 1, whose lines follow one another without ids. */
export function isLinear(file: RepairFile): boolean {
	const header = file.lines.find((line) => line.value?.type === 'session')?.value;
	if (header) return dialectOf(header.version) === 'v1';
	const first = file.lines.find((line) => line.value)?.value;
	return first !== undefined && typeof first.id !== 'string' && !isBareLine(first);
}

export const headerRemedy: Remedy = {
	rules: ['openclaw/bare', 'openclaw/header-first'],
	does: 'A file without its header line gets one; a header further below goes to the top.',
	mend(file, problems) {
		const edits = new Edits(file);
		const first = file.lines.find((line) => line.value);
		const rule = problems[0]?.rule ?? '';
		if (!first) return edits.done();
		const header = file.lines.find((line) => line.value?.type === 'session');
		if (header) {
			edits.insertBefore(first.index, header.bytes, { rule, what: 'moved the session header to the top' });
			edits.remove(header.index, { rule, what: 'moved the session header away from here' });
			return edits.done();
		}
		const line = {
			type: 'session',
			...(isLinear(file) ? {} : { version: 3 }),
			id: sessionId(file.options.id),
			timestamp: startOf(file),
			cwd: file.options.cwd,
		};
		edits.insertBefore(first.index, lineOf(line), {
			rule,
			what: 'added a session header',
			lost: { path: '', how: 'invented', note: 'id, start time and folder of the session' },
		});
		return edits.done();
	},
};

export const headerIdRemedy: Remedy = {
	rules: ['openclaw/header-id'],
	does: 'A header without an id gets the one that the file is named after.',
	mend(file, problems) {
		const edits = new Edits(file);
		for (const { index = -1, rule } of problems) {
			edits.set(index, ['id'], sessionId(file.options.id), {
				rule,
				what: 'gave the session an id',
				lost: { path: 'id', how: 'invented', note: 'the id of the session' },
			});
		}
		return edits.done();
	},
};

/** pi's files are named after the time and the id; OpenClaw's after the id alone. */
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

/** When a line or the message in it was written. */
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
	mend(file, problems) {
		const edits = new Edits(file);
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
				edits.change(index, () => Buffer.from(`{"type":"message",${links}${stamp}"message":${inner}}\n`, 'utf8'), {
					rule: 'openclaw/bare-line',
					what: 'wrapped a bare message in a line',
					lost: { path: 'id', how: 'invented', note: 'id and parent of the line' },
				});
				last = id;
				continue;
			}
			// What followed the line before the bare ones follows the last of them.
			if (base !== undefined && !linear && value.parentId === base) {
				edits.set(index, ['parentId'], last, { rule: 'openclaw/bare-line', what: 'follows the wrapped messages' });
			}
			base = undefined;
			last = stringAt(value, 'id') ?? last;
		}
		return edits.done();
	},
};
