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

export function validator(report: Report): LineValidator {
	return new PiValidator(report);
}

class PiValidator implements LineValidator {
	readonly #report: Report;
	readonly #nodes: Node[] = [];
	#dialect: Dialect | undefined;
	#header = false;
	#wrapped = false;
	#openClaws = false;

	constructor(report: Report) {
		this.#report = report;
	}

	end(): void {
		checkTree(this.#nodes, this.#report);
	}

	visit(line: Line): void {
		reportLine(line, this.#report);
		const value = line.value;
		if (value === undefined) return;
		if (value.type === 'session') {
			this.#visitHeader(line, value);
			return;
		}
		if (this.#dialect === undefined) this.#withoutHeader(value);
		if (isBareLine(value)) {
			this.#visitBare(line, value);
			return;
		}
		if (!this.#wrapped) this.#tellWrapped();
		this.#visitLine(line, value);
	}

	#visitHeader(line: Line, value: JsonObject): void {
		if (this.#header) {
			this.#report(
				'openclaw/header-repeated',
				'this is a second session header: the client uses the first and ignores this one',
			);
			return;
		}
		if (this.#dialect === undefined) {
			if (typeof value.id !== 'string') {
				this.#report(
					'openclaw/header-id',
					'the session header has no `id`: pi from 0.80.3 on refuses the file, older ones overwrite it, OpenClaw sets it aside as corrupt',
					{ path: 'id' },
				);
			}
			if (line.at + line.length > headerScan) {
				this.#report(
					'openclaw/header-far',
					'the session header does not end within the first megabyte: pi does not list the file',
				);
			}
		}
		this.#header = true;
		this.#dialect = dialectOf(value.version);
		this.#openClaws = this.#dialect === 'v4';
		this.#tellWrapped();
		this.#tellVersion(value);
		headerTable.check(value, this.#report);
	}

	#tellVersion(value: JsonObject): void {
		if (this.#dialect === 'future') {
			this.#report(
				'openclaw/header-version',
				`version ${value.version} is newer than any known one: read as if it were version 3`,
				{
					path: 'version',
				},
			);
		} else if (this.#dialect === 'v1' || this.#dialect === 'v2') {
			this.#report(
				'openclaw/header-old',
				`the file has version ${value.version ?? 1}: pi rewrites it in place when it opens it`,
			);
		}
	}

	#tellWrapped(): void {
		this.#wrapped = true;
		this.#report(
			'openclaw/wrapped',
			"the document puts one bare message on each line; this file has the client's header and entries",
		);
	}

	#withoutHeader(value: JsonObject): void {
		if (isBareLine(value)) {
			this.#dialect = 'bare';
			this.#report(
				'openclaw/bare',
				'the file has no session header, only bare messages: pi from 0.80.3 on refuses it, 0.73.1 overwrites it, OpenClaw sets it aside as corrupt',
			);
			return;
		}
		this.#dialect = typeof value.id === 'string' ? 'v3' : 'v1';
		this.#report(
			'openclaw/header-first',
			'the first line is not a session header: pi from 0.80.3 on refuses the file, older ones overwrite it, OpenClaw sets it aside as corrupt',
		);
	}

	#visitBare(line: Line, value: JsonObject): void {
		const seen = checkMessage(value, '', this.#dialect ?? 'bare', this.#report);
		if (this.#dialect === 'bare' || this.#dialect === 'v1') {
			this.#nodes.push({ ...seen, parent: this.#previous(), at: positionOf(line) });
		}
		if (this.#dialect !== 'bare') {
			this.#report(
				'openclaw/bare-line',
				'this message is not wrapped in a line of type `message`: the client ignores it',
			);
		}
	}

	#visitLine(line: Line, value: JsonObject): void {
		const type = stringAt(value, 'type') ?? '';
		if (!isLineType(type)) {
			const say =
				type === '' ? 'this line has neither `type` nor `role`' : `${JSON.stringify(type)} is no type the clients know`;
			this.#report('openclaw/line-type', `${say}: they keep the line and ignore it`, { path: 'type' });
		}
		this.#openClaws ||= type === 'leaf' || value.appendMode !== undefined || value.customType === 'model-snapshot';
		timeTable.check(value, this.#report);
		if (Object.hasOwn(lineTables, type)) lineTables[type]?.check(value, this.#report);
		const at = positionOf(line);
		this.#nodes.push({ ...this.#linkOf(value, type, at), ...this.#meaningOf(value, type), at });
	}

	#linkOf(value: JsonObject, type: string, at: Position): Pick<Node, 'id' | 'parent'> {
		if (this.#dialect === 'v1' || (this.#dialect === 'bare' && value.id === undefined))
			return { parent: this.#previous() };
		const parent = this.#parentOf(type === 'leaf' ? value.targetId : value.parentId, at);
		const id = value.id;
		if (typeof id === 'string' && id !== '') return { id, parent };
		this.#report(
			'openclaw/id-missing',
			'the line has no `id`: nothing can follow it, and as the last line it hides all others',
			{
				path: 'id',
			},
		);
		return { parent };
	}

	#parentOf(parent: Json | undefined, at: Position): string | number | null {
		if (parent === null || parent === '') return null;
		if (typeof parent === 'string') return parent;
		if (parent === undefined && this.#openClaws) return this.#previous();
		if (parent !== undefined || this.#nodes.length > 0) {
			const say = 'the line names no parent: the client starts here and everything before it is out of reach';
			this.#report('openclaw/parent-invalid', say, { at, path: 'parentId' });
		}
		return null;
	}

	#previous(): number | null {
		return this.#nodes.length === 0 ? null : this.#nodes.length - 1;
	}

	#meaningOf(value: JsonObject, type: string): Omit<Node, 'id' | 'parent' | 'at'> {
		switch (type) {
			case 'message':
				if (isObject(value.message))
					return checkMessage(value.message, 'message.', this.#dialect ?? 'v3', this.#report);
				this.#report('openclaw/message-missing', 'the line has no message: pi fails on the whole file', {
					path: 'message',
				});
				return nothing;
			case 'custom_message':
				contentProblem(value.content, true, 'content', this.#report);
				return { says: 'prompt' };
			case 'branch_summary':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', this.#report);
				return { says: 'prompt' };
			case 'compaction':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', this.#report);
				return typeof value.firstKeptEntryId === 'string' && this.#dialect !== 'v1'
					? { says: 'nothing', keptFrom: value.firstKeptEntryId }
					: nothing;
			case 'usage':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', this.#report);
				return nothing;
			case 'label':
			case 'context_edit':
			case 'leaf':
				return typeof value.targetId === 'string' ? { says: 'nothing', target: value.targetId } : nothing;
			default:
				return nothing;
		}
	}
}

const nothing = { says: 'nothing' } as const;
