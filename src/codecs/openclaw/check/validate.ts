/** Validation of pi's and OpenClaw's files, line by line and then as a whole. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { type Line, type Position, positionOf } from '../../shared/read/line.ts';
import { type Dialect, dialectOf, isBareLine, isLineType } from '../lines.ts';
import { headerTable, lineTables, timeTable } from './field-tables.ts';
import { reportLine } from './flaw-effects.ts';
import { checkMessage, checkUsage, contentProblem } from './messages.ts';
import { checkTree, type Node } from './tree.ts';

const headerScan = 1024 * 1024;
/** A time as every client writes it; the table looks at any other. */
const plainTime = /^\d{4}-(0\d|1[0-2])-[0-2]\dT[01]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;

export function validator(report: Report): LineValidator {
	const nodes: Node[] = [];
	let dialect: Dialect | undefined;
	let header = false;
	let wrapped = false;
	let openClaws = false;

	function visit(line: Line): void {
		reportLine(line, report);
		const value = line.value;
		if (value === undefined) return;
		if (value.type === 'session') {
			visitHeader(line, value);
			return;
		}
		if (dialect === undefined) withoutHeader(value);
		if (isBareLine(value)) {
			visitBare(line, value);
			return;
		}
		if (!wrapped) tellWrapped();
		visitLine(line, value);
	}

	function visitHeader(line: Line, value: JsonObject): void {
		if (header) {
			report(
				'openclaw/header-repeated',
				'this is a second session header: the client uses the first and ignores this one',
			);
			return;
		}
		if (dialect === undefined) {
			if (typeof value.id !== 'string') {
				report(
					'openclaw/header-id',
					'the session header has no `id`: pi from 0.80.3 on refuses the file, older ones overwrite it, OpenClaw sets it aside as corrupt',
					{ path: 'id' },
				);
			}
			if (line.at + line.length > headerScan) {
				report(
					'openclaw/header-far',
					'the session header does not end within the first megabyte: pi does not list the file',
				);
			}
		}
		header = true;
		dialect = dialectOf(value.version);
		openClaws = dialect === 'v4';
		tellWrapped();
		tellVersion(value);
		headerTable.check(value, report);
	}

	function tellVersion(value: JsonObject): void {
		if (dialect === 'future') {
			report(
				'openclaw/header-version',
				`version ${value.version} is newer than any known one: read as if it were version 3`,
				{
					path: 'version',
				},
			);
		} else if (dialect === 'v1' || dialect === 'v2') {
			report(
				'openclaw/header-old',
				`the file has version ${value.version ?? 1}: pi rewrites it in place when it opens it`,
			);
		}
	}

	function tellWrapped(): void {
		wrapped = true;
		report(
			'openclaw/wrapped',
			"the document puts one bare message on each line; this file has the client's header and entries",
		);
	}

	function withoutHeader(value: JsonObject): void {
		if (isBareLine(value)) {
			dialect = 'bare';
			report(
				'openclaw/bare',
				'the file has no session header, only bare messages: pi from 0.80.3 on refuses it, 0.73.1 overwrites it, OpenClaw sets it aside as corrupt',
			);
			return;
		}
		dialect = typeof value.id === 'string' ? 'v3' : 'v1';
		report(
			'openclaw/header-first',
			'the first line is not a session header: pi from 0.80.3 on refuses the file, older ones overwrite it, OpenClaw sets it aside as corrupt',
		);
	}

	function visitBare(line: Line, value: JsonObject): void {
		const seen = checkMessage(value, '', dialect ?? 'bare', report);
		if (dialect === 'bare' || dialect === 'v1') {
			nodes.push({ ...seen, parent: previous(), at: positionOf(line) });
		}
		if (dialect !== 'bare') {
			report('openclaw/bare-line', 'this message is not wrapped in a line of type `message`: the client ignores it');
		}
	}

	function visitLine(line: Line, value: JsonObject): void {
		const type = stringAt(value, 'type') ?? '';
		if (!isLineType(type)) {
			const say =
				type === '' ? 'this line has neither `type` nor `role`' : `${JSON.stringify(type)} is no type the clients know`;
			report('openclaw/line-type', `${say}: they keep the line and ignore it`, { path: 'type' });
		}
		openClaws ||= type === 'leaf' || value.appendMode !== undefined || value.customType === 'model-snapshot';
		if (!plainTime.test(stringAt(value, 'timestamp') ?? '')) timeTable.check(value, report);
		if (Object.hasOwn(lineTables, type)) lineTables[type]?.check(value, report);
		const at = positionOf(line);
		nodes.push({ ...linkOf(value, type, at), ...meaningOf(value, type), at });
	}

	function linkOf(value: JsonObject, type: string, at: Position): Pick<Node, 'id' | 'parent'> {
		if (dialect === 'v1' || (dialect === 'bare' && value.id === undefined)) return { parent: previous() };
		const parent = parentOf(type === 'leaf' ? value.targetId : value.parentId, at);
		const id = value.id;
		if (typeof id === 'string' && id !== '') return { id, parent };
		report(
			'openclaw/id-missing',
			'the line has no `id`: nothing can follow it, and as the last line it hides all others',
			{
				path: 'id',
			},
		);
		return { parent };
	}

	function parentOf(parent: Json | undefined, at: Position): string | number | null {
		if (parent === null || parent === '') return null;
		if (typeof parent === 'string') return parent;
		if (parent === undefined && openClaws) return previous();
		if (parent !== undefined || nodes.length > 0) {
			const say = 'the line names no parent: the client starts here and everything before it is out of reach';
			report('openclaw/parent-invalid', say, { at, path: 'parentId' });
		}
		return null;
	}

	function previous(): number | null {
		return nodes.length === 0 ? null : nodes.length - 1;
	}

	function meaningOf(value: JsonObject, type: string): Omit<Node, 'id' | 'parent' | 'at'> {
		switch (type) {
			case 'message':
				if (isObject(value.message)) return checkMessage(value.message, 'message.', dialect ?? 'v3', report);
				report('openclaw/message-missing', 'the line has no message: pi fails on the whole file', { path: 'message' });
				return nothing;
			case 'custom_message':
				contentProblem(value.content, true, 'content', report);
				return { says: 'prompt' };
			case 'branch_summary':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', report);
				return { says: 'prompt' };
			case 'compaction':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', report);
				return typeof value.firstKeptEntryId === 'string' && dialect !== 'v1'
					? { says: 'nothing', keptFrom: value.firstKeptEntryId }
					: nothing;
			case 'usage':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', report);
				return nothing;
			case 'label':
			case 'context_edit':
			case 'leaf':
				return typeof value.targetId === 'string' ? { says: 'nothing', target: value.targetId } : nothing;
			default:
				return nothing;
		}
	}

	return { visit, end: () => checkTree(nodes, report) };
}

const nothing = { says: 'nothing' } as const;
