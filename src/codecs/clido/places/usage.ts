/** How costs are found in a Clido session: running totals of dollars become those of single runs, and replies are counted once across forks. */
// The client writes running totals of dollars, which start anew with every process. In a session that follows the
// document, and in what Reprise adds to one of the client's, every result is that of its own run: the document's recipe
// adds them up.
import { type JsonObject, numberAt, stringAt } from '../../../model/index.ts';
import { dollars, type FieldRow, type Sighting, type UsageRules, type UsageSink } from '../../shared/places/usage.ts';
import { isBareId } from '../write/words.ts';

const type = 0;
const sessionId = 1;
const startTime = 2;
const projectPath = 3;
const totalCost = 4;
const turns = 5;
const duration = 6;
const ownRun = 7;

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

/**
 * A fork begins with its own `meta` line and repeats the whole original, whose `meta` is included. So the last `meta`
 * names the session in which the lines below it were first written, and counting lines from there gives each the same
 * number in every copy. Clido records no times: everything counts when its session began.
 */
export const usage: UsageRules = {
	fields: [
		'type',
		'session_id',
		'start_time',
		'project_path',
		'total_cost_usd',
		'num_turns',
		'duration_ms',
		'reprise_run',
	],
	gate: { path: 'type', values: ['meta', 'assistant_message', 'result'] },
	visitor(sink, memo) {
		const file = new ClidoFile(sink, memo);
		// What an unfinished last line adds is not remembered: the line is read again when it is whole.
		let before: JsonObject | undefined;
		return {
			visit(row) {
				if (!row.ended) before = file.memo();
				file.visit(row);
			},
			memo: () => before ?? file.memo(),
		};
	},
};

class ClidoFile {
	readonly #sink: UsageSink;
	#root: string;
	#time: number | undefined;
	#replies: number;
	#results: number;
	/** The total in the result line before. */
	#before: number;

	constructor(sink: UsageSink, memo: JsonObject = {}) {
		this.#sink = sink;
		this.#root = stringAt(memo, 'root') ?? '';
		this.#time = numberAt(memo, 'time');
		this.#replies = numberAt(memo, 'replies') ?? 0;
		this.#results = numberAt(memo, 'results') ?? 0;
		this.#before = numberAt(memo, 'before') ?? 0;
	}

	memo(): JsonObject {
		const counts = { root: this.#root, replies: this.#replies, results: this.#results, before: this.#before };
		return this.#time === undefined ? counts : { ...counts, time: this.#time };
	}

	visit(row: FieldRow): void {
		if (row.is(type, 'meta')) this.#meta(row);
		else if (row.is(type, 'assistant_message')) {
			this.#replies += 1;
			this.#spent(row, `reply ${this.#replies} ${digest(row.bytes())}`, { responses: 1, costUsd: undefined });
		} else if (row.is(type, 'result')) this.#result(row);
	}

	#meta(row: FieldRow): void {
		this.#root = row.text(sessionId) ?? this.#root;
		this.#time ??= row.time(startTime);
		this.#replies = 0;
		this.#results = 0;
		const folder = row.text(projectPath);
		if (folder) this.#sink.cwd(folder);
	}

	/** Counts a result line. A total smaller than the one before is that of a new process. */
	#result(row: FieldRow): void {
		const total = dollars(row.number(totalCost));
		if (total === undefined) return;
		const own = isBareId(this.#root) || row.number(ownRun) === 1;
		const costUsd = total >= this.#before && !own ? total - this.#before : total;
		this.#before = own ? 0 : total;
		this.#results += 1;
		const text = `result ${this.#results} ${total} ${row.number(turns)} ${row.number(duration)}`;
		if (costUsd > 0) this.#spent(row, text, { responses: 0, costUsd });
	}

	#spent(row: FieldRow, what: string, amount: Pick<Sighting, 'responses' | 'costUsd'>): void {
		this.#sink.seen({
			key: `clido ${this.#root} ${what}`,
			at: row.at,
			line: row.line,
			request: undefined,
			time: this.#time,
			model: undefined,
			provider: undefined,
			usage: noTokens,
			...amount,
		});
	}
}

/** Tells apart replies that two forks added at one place. Eight bytes at a time: it reads all replies of a machine. */
function digest(bytes: Uint8Array): string {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const whole = bytes.length & ~7;
	let even = 0x811c9dc5;
	let odd = 0x9e3779b1;
	for (let at = 0; at < whole; at += 8) {
		even = Math.imul(even ^ view.getInt32(at, true), 0x01000193);
		odd = Math.imul(odd ^ view.getInt32(at + 4, true), 0x5f356495);
		even ^= odd >>> 15;
	}
	for (let at = whole; at < bytes.length; at += 1) even = Math.imul(even ^ view.getUint8(at), 0x01000193);
	return `${bytes.length} ${even >>> 0} ${odd >>> 0}`;
}
