/** Checks files of pi and OpenClaw line by line: header, versions, line types, ids and parents. `tree.ts` checks the whole. */
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { LineValidator, Report } from '../../codec.ts';
import { sayingOf } from '../../shared/check/rules.ts';
import { type Line, positionOf } from '../../shared/read/line.ts';
import { type Dialect, dialectOf, isBareLine, isLineType } from '../lines.ts';
import { headerTable, lineTables, timeTable } from './field-tables.ts';
import { checkMessage, checkUsage, contentProblem } from './messages.ts';
import { reportLine } from './rules.ts';
import { checkTree, type Node } from './tree.ts';

const headerScan = 1024 * 1024;

const refused = 'pi from 0.80.3 on refuses the file, older ones overwrite it, OpenClaw sets it aside as corrupt';

const say = sayingOf('openclaw', {
	'header-repeated': ['this is a second session header: the client uses the first and ignores this one'],
	'header-id': [`the session header has no \`id\`: ${refused}`, 'id'],
	'header-far': ['the session header does not end within the first megabyte: pi does not list the file'],
	'header-first': [`the first line is not a session header: ${refused}`],
	wrapped: ["the document puts one bare message on each line; this file has the client's header and entries"],
	bare: [
		'the file has no session header, only bare messages: pi from 0.80.3 on refuses it, 0.73.1 overwrites it, OpenClaw sets it aside as corrupt',
	],
	'bare-line': ['this message is not wrapped in a line of type `message`: the client ignores it'],
	'id-missing': ['the line has no `id`: nothing can follow it, and as the last line it hides all others', 'id'],
	'parent-invalid': [
		'the line names no parent: the client starts here and everything before it is out of reach',
		'parentId',
	],
	'message-missing': ['the line has no message: pi fails on the whole file', 'message'],
});

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

	#say(rule: Parameters<typeof say>[1]): void {
		say(this.#report, rule);
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
			this.#say('header-repeated');
			return;
		}
		if (this.#dialect === undefined) {
			if (typeof value.id !== 'string') this.#say('header-id');
			if (line.at + line.length > headerScan) this.#say('header-far');
		}
		this.#header = true;
		this.#dialect = dialectOf(value.version);
		this.#openClaws = this.#dialect === 'v4';
		this.#tellWrapped();
		this.#tellVersion(value);
		headerTable.check(value, this.#report);
	}

	#tellVersion({ version }: JsonObject): void {
		if (this.#dialect === 'future') {
			const say = `version ${version} is newer than any known one: read as if it were version 3`;
			this.#report('openclaw/header-version', say, { path: 'version' });
		} else if (this.#dialect === 'v1' || this.#dialect === 'v2') {
			const say = `the file has version ${version ?? 1}: pi rewrites it in place when it opens it`;
			this.#report('openclaw/header-old', say);
		}
	}

	#tellWrapped(): void {
		this.#wrapped = true;
		this.#say('wrapped');
	}

	#withoutHeader(value: JsonObject): void {
		if (isBareLine(value)) {
			this.#dialect = 'bare';
			this.#say('bare');
			return;
		}
		this.#dialect = typeof value.id === 'string' ? 'v3' : 'v1';
		this.#say('header-first');
	}

	#visitBare(line: Line, value: JsonObject): void {
		const seen = checkMessage(value, '', this.#dialect ?? 'bare', this.#report);
		if (this.#dialect === 'bare' || this.#dialect === 'v1') {
			this.#nodes.push({ ...seen, parent: this.#previous(), at: positionOf(line) });
		}
		if (this.#dialect !== 'bare') this.#say('bare-line');
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
		this.#nodes.push({ ...this.#linkOf(value, type), ...this.#meaningOf(value, type), at: positionOf(line) });
	}

	#linkOf(value: JsonObject, type: string): Pick<Node, 'id' | 'parent'> {
		if (this.#dialect === 'v1' || (this.#dialect === 'bare' && value.id === undefined))
			return { parent: this.#previous() };
		const parent = this.#parentOf(type === 'leaf' ? value.targetId : value.parentId);
		const id = value.id;
		if (typeof id === 'string' && id !== '') return { id, parent };
		this.#say('id-missing');
		return { parent };
	}

	#parentOf(parent: Json | undefined): string | number | null {
		if (parent === null || parent === '') return null;
		if (typeof parent === 'string') return parent;
		if (parent === undefined && this.#openClaws) return this.#previous();
		if (parent !== undefined || this.#nodes.length > 0) this.#say('parent-invalid');
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
				this.#say('message-missing');
				return nothing;
			case 'custom_message':
				contentProblem(value.content, true, 'content', this.#report);
				return { says: 'prompt' };
			case 'branch_summary':
			case 'compaction':
			case 'usage':
				if (isObject(value.usage)) checkUsage(value.usage, 'usage.', this.#report);
				if (type === 'branch_summary') return { says: 'prompt' };
				return type === 'compaction' && typeof value.firstKeptEntryId === 'string' && this.#dialect !== 'v1'
					? { says: 'nothing', keptFrom: value.firstKeptEntryId }
					: nothing;
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
