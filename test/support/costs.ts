/** Sessions of the four formats with known costs, and what people and clients do to them. */
import type { SessionFile } from '../../src/catalog/cost/collect.ts';
import type { FormatId, Usage } from '../../src/model/index.ts';

/** A reply as the truth has it. */
export interface MadeReply {
	readonly id: string;
	readonly model: string;
	readonly usage: Usage;
	/** How many lines tell of it, where the format splits replies. */
	readonly lines: number;
	readonly costUsd: number;
	readonly time: number;
}

export interface MadeFile extends SessionFile {
	readonly text: string;
	/** The replies it tells of, copies included. */
	readonly replies: readonly MadeReply[];
	/** Where a fork may cut: offsets in `text` and the replies before them. */
	readonly cuts: readonly { readonly at: number; readonly replies: number }[];
}

interface Style {
	/** What a new file begins with; for a fork also what it keeps of the old one's beginning. */
	head(id: string): string;
	prompt(time: number): string;
	reply(reply: MadeReply, id: string): string;
	noise(time: number): readonly string[];
	/** What the client writes when it compacts, the copies of what it keeps included. */
	compaction(last: MadeReply | undefined, id: string): string;
	tail: string;
	path(id: string): string;
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const iso = (time: number): string => new Date(time).toISOString();
let serial = 0;
const unique = (): string => (serial++).toString(16).padStart(8, '0');

const claude: Style = {
	head: () => '',
	prompt: (time) =>
		line({
			type: 'user',
			uuid: unique(),
			timestamp: iso(time),
			cwd: '/p',
			message: { role: 'user', content: 'x "usage":{"output_tokens":9}' },
		}),
	reply({ id, model, usage, lines, time }) {
		let text = '';
		for (let part = 1; part <= lines; part += 1) {
			const counts = {
				input_tokens: usage.input,
				output_tokens: part === lines ? usage.output : Math.min(1, usage.output),
				cache_read_input_tokens: usage.cacheRead,
				cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
				cache_creation: {
					ephemeral_5m_input_tokens: usage.cacheWrite5m,
					ephemeral_1h_input_tokens: usage.cacheWrite1h,
				},
			};
			const content = [{ type: 'text', text: '{"usage":{"input_tokens":7}}\u2028"' }];
			const message = { id: `msg_${id}`, model, role: 'assistant', content, usage: counts };
			text += line({ type: 'assistant', uuid: unique(), timestamp: iso(time + part), requestId: `req_${id}`, message });
		}
		return text;
	},
	noise: (time) => [
		line({ type: 'system', subtype: 'compact_boundary', uuid: unique(), timestamp: iso(time) }),
		line({ type: 'user', isCompactSummary: true, uuid: unique(), message: { role: 'user', content: 'summary' } }),
		line({
			type: 'assistant',
			uuid: unique(),
			timestamp: iso(time),
			message: { id: unique(), model: '<synthetic>', usage: { input_tokens: 5, output_tokens: 5 } },
		}),
		line({
			type: 'assistant',
			isApiErrorMessage: true,
			uuid: unique(),
			message: { id: unique(), model: 'claude-sonnet-4-5', usage: { output_tokens: 4 } },
		}),
		'\n',
		'{"type":"assistant","message":{"usage":{"output_tokens":3}\n',
	],
	compaction(last, id) {
		const time = (last?.time ?? 0) + 500;
		return (
			line({ type: 'system', subtype: 'compact_boundary', uuid: unique(), timestamp: iso(time) }) +
			line({ type: 'user', isCompactSummary: true, uuid: unique(), message: { role: 'user', content: 'summary' } }) +
			// Lines of the reply that is kept are written again under new ids.
			(last ? claude.reply({ ...last, time }, id) : '')
		);
	},
	tail: '',
	path: (id) => `/home/projects/-p/${id}.jsonl`,
};

const pi: Style = {
	head: (id) => line({ type: 'session', version: 3, id, timestamp: iso(0), cwd: '/p' }),
	prompt: (time) =>
		line({
			type: 'message',
			id: unique(),
			timestamp: iso(time),
			message: { role: 'user', content: [], timestamp: time },
		}),
	reply({ id, model, usage, costUsd, time }) {
		const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage;
		const counts = {
			input,
			output,
			cacheRead,
			cacheWrite: cacheWrite5m + cacheWrite1h,
			cacheWrite1h,
			cost: { total: costUsd },
		};
		const message = {
			role: 'assistant',
			provider: 'anthropic',
			model,
			usage: counts,
			stopReason: 'stop',
			timestamp: time,
		};
		return line({ type: 'message', id: id.slice(0, 8), timestamp: iso(time), message });
	},
	noise: (time) => [
		line({
			type: 'compaction',
			id: unique(),
			timestamp: iso(time),
			summary: 's',
			firstKeptEntryId: 'x',
			tokensBefore: 9,
		}),
		line({
			type: 'message',
			id: unique(),
			timestamp: iso(time),
			message: { role: 'assistant', stopReason: 'error', usage: { input: 8, output: 8, cost: { total: 1 } } },
		}),
		'{"type":"message",\n',
	],
	compaction: (last) =>
		line({
			type: 'compaction',
			id: unique(),
			timestamp: iso((last?.time ?? 0) + 500),
			summary: 's',
			firstKeptEntryId: last?.id.slice(0, 8) ?? 'x',
			tokensBefore: 9,
		}),
	tail: '',
	path: (id) => `/home/sessions/--p--/${id}.jsonl`,
};

const clido: Style = {
	head: (id) => line({ type: 'meta', session_id: id, schema_version: 1, start_time: iso(1000), project_path: '/p' }),
	prompt: () => line({ type: 'user_message', role: 'user', content: [{ text: 'x', type: 'text' }] }),
	// Every reply is a run of its own process here, so each total begins anew; zero in between makes that visible.
	reply: ({ id, costUsd }) =>
		line({ type: 'assistant_message', content: [{ text: id, type: 'text' }] }) +
		line({
			type: 'result',
			exit_status: 'completed',
			total_cost_usd: costUsd,
			num_turns: 1,
			duration_ms: Number.parseInt(id, 36) % 1e9,
		}) +
		line({ type: 'result', exit_status: 'completed', total_cost_usd: 0, num_turns: 0, duration_ms: 0 }),
	noise: () => [line({ type: 'system', subtype: 'compaction', message: 'm' }), line({ type: 'title', title: 't' })],
	compaction: () => line({ type: 'system', subtype: 'compaction', message: 'm' }),
	tail: '',
	path: (id) => `/home/clido/${id}.jsonl`,
};

const indented = (value: object): string => JSON.stringify(value, null, 2);

const cline: Style = {
	head: (id) => `{\n  "version": 1,\n  "sessionId": "${id}",\n  "messages": [\n{"role":"user","content":[]}`,
	prompt: (time) =>
		`,\n${indented({ id: unique(), role: 'user', content: [{ type: 'text', text: '"metrics": {"cost": 3}' }], ts: time })}`,
	reply({ id, model, usage, costUsd, time }) {
		const cacheWriteTokens = usage.cacheWrite5m + usage.cacheWrite1h;
		const inputTokens = usage.input + usage.cacheRead + cacheWriteTokens;
		const metrics = {
			inputTokens,
			outputTokens: usage.output,
			cacheReadTokens: usage.cacheRead,
			cacheWriteTokens,
			cost: costUsd,
		};
		return `,\n${indented({ id: `msg_${id}`, role: 'assistant', content: [{ type: 'text', text: 'a\nb' }], ts: time, modelInfo: { id: model, provider: 'anthropic' }, metrics })}`;
	},
	noise: (time) => [
		`,\n${indented({ id: unique(), role: 'assistant', content: [], ts: time, metadata: { displayOnly: true, displayRole: 'error' } })}`,
		`,\n${indented({ id: unique(), role: 'user', content: [], ts: time, metadata: { kind: 'compaction_summary' } })}`,
	],
	compaction: (last) =>
		`,\n${indented({ id: unique(), role: 'user', content: [], ts: (last?.time ?? 0) + 500, metadata: { kind: 'compaction_summary' } })}`,
	tail: '\n  ],\n  "system_prompt": "s"\n}\n',
	path: (id) => `/home/cline/${id}/${id}.messages.json`,
};

const styles: { readonly [F in FormatId]?: Style } = { 'claude-code': claude, openclaw: pi, clido, cline };

function styleOf(format: FormatId): Style {
	const style = styles[format];
	if (!style) throw new Error(`nobody says what the costs of ${format} look like`);
	return style;
}

/** A session of these replies, with records between them that must not count. */
export function makeSession(format: FormatId, id: string, replies: readonly MadeReply[], noisy = true): MadeFile {
	const style = styleOf(format);
	return complete(format, id, style.head(id), [], [], replies, noisy);
}

function complete(
	format: FormatId,
	id: string,
	start: string,
	old: readonly MadeReply[],
	oldCuts: MadeFile['cuts'],
	replies: readonly MadeReply[],
	noisy: boolean,
): MadeFile {
	const style = styleOf(format);
	const cuts = [...oldCuts];
	let text = start;
	for (const [index, reply] of replies.entries()) {
		text += style.prompt(reply.time - 1);
		text += style.reply(reply, id);
		if (noisy) text += style.noise(reply.time)[index % style.noise(0).length] ?? '';
		cuts.push({ at: text.length, replies: old.length + index + 1 });
	}
	return {
		path: style.path(id),
		id,
		agent: format,
		format,
		text: text + style.tail,
		replies: [...old, ...replies],
		cuts,
	};
}

/** A new session that begins with what another has up to a cut: a fork, or a resumed copy when the cut is the last. */
export function forkOf(from: MadeFile, cut: number, id: string, added: readonly MadeReply[]): MadeFile {
	const at = from.cuts[cut];
	const copied = at === undefined ? 0 : at.replies;
	const kept = from.text.slice(0, at?.at ?? styleOf(from.format).head(from.id).length);
	// Clido writes its own first line before the copy; the others copy under the old one.
	const start = from.format === 'clido' ? clido.head(id) + kept : kept;
	const shift = start.length - kept.length;
	const cuts = from.cuts.slice(0, at === undefined ? 0 : cut + 1).map((one) => ({ ...one, at: one.at + shift }));
	return complete(from.format, id, start, from.replies.slice(0, copied), cuts, added, true);
}

/** The session after its client has compacted it. */
export function compactedOf(file: MadeFile): MadeFile {
	const { compaction, tail } = styleOf(file.format);
	const body = file.text.slice(0, file.text.length - tail.length);
	return { ...file, text: body + compaction(file.replies.at(-1), file.id) + tail };
}

/** The same session on another machine that has not got all of it yet. */
export function syncedOf(file: MadeFile, cut: number, to: string): MadeFile {
	const at = file.cuts[cut];
	const text = file.text.slice(0, at?.at ?? 0) + (at ? styleOf(file.format).tail : '');
	return {
		...file,
		path: `${to}${file.path}`,
		text,
		replies: file.replies.slice(0, at?.replies ?? 0),
		cuts: file.cuts.slice(0, at === undefined ? 0 : cut + 1),
	};
}

/** The same bytes somewhere else: a backup. */
export function copyOf(file: MadeFile, to: string): MadeFile {
	return { ...file, path: `${to}${file.path}` };
}
