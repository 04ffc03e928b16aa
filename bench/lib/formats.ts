/** Conversations as the four clients write them. */
import type { Call, Conversation, Reply } from './conversation.ts';
import type { Random } from './random.ts';

export interface SessionShape {
	readonly random: Random;
	readonly conversation: Conversation;
	/** Milliseconds since 1970. */
	readonly start: number;
	readonly compaction: boolean;
	/** `cut`: may stop right after a large tool result. */
	readonly end: 'clean' | 'cut';
	readonly pointers: boolean;
	/** Enough has been written. */
	full(): boolean;
}

export interface GeneratedSession {
	/** Relative to the home that is made. */
	readonly path: string;
	readonly chunks: Generator<string>;
}

export type SessionMaker = (shape: SessionShape) => GeneratedSession;

/** What happens in a session, in order; each format has its own words for it. */
type Step =
	| { readonly kind: 'prompt'; readonly text: string }
	| { readonly kind: 'reply'; readonly reply: Reply; readonly last: boolean }
	| { readonly kind: 'result'; readonly call: Call }
	| { readonly kind: 'compaction'; readonly summary: string; readonly tokens: number }
	| { readonly kind: 'turn-end' };

function* steps({ random, conversation, compaction, end, full }: SessionShape): Generator<Step> {
	do {
		yield { kind: 'prompt', text: conversation.prompt() };
		for (let left = random.int(2, 26); left >= 0; left -= 1) {
			if (full()) {
				if (end === 'cut') return;
				left = 0;
			}
			const last = left === 0;
			const reply = conversation.reply(last);
			yield { kind: 'reply', reply, last };
			for (const call of reply.calls) yield { kind: 'result', call };
			if (compaction && !last && conversation.shouldCompact()) {
				yield { kind: 'compaction', summary: conversation.summary(), tokens: reply.contextTokens };
				conversation.compacted();
			}
		}
		yield { kind: 'turn-end' };
	} while (!full());
}

/** A clock that moves a little with every line. */
function clock({ random, start }: SessionShape): { now(): number; iso(): string } {
	let time = start;
	const now = () => {
		time += random.int(20, 9000);
		return time;
	};
	return { now, iso: () => new Date(now()).toISOString() };
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

export const claudeSession: SessionMaker = (shape) => {
	const { random, conversation } = shape;
	const { project } = conversation;
	const sessionId = random.uuid();
	const time = clock(shape);
	let parentUuid: string | null = null;
	const common = {
		userType: 'external',
		cwd: project.folder,
		sessionId,
		version: '2.1.325',
		gitBranch: project.branch,
	};
	function entry(fields: object, tail: object = {}): string {
		const uuid = random.uuid();
		const text = line({
			parentUuid,
			isSidechain: false,
			...common,
			...fields,
			uuid,
			timestamp: time.iso(),
			...tail,
		});
		parentUuid = uuid;
		return text;
	}
	function* turnEnd(): Generator<string> {
		yield entry({ type: 'system', subtype: 'turn_duration', durationMs: random.int(900, 200_000), isMeta: false });
		if (shape.pointers) yield line({ type: 'last-prompt', lastPrompt: '', leafUuid: parentUuid, sessionId });
	}
	function* write(step: Step): Generator<string> {
		switch (step.kind) {
			case 'prompt': {
				const message = { role: 'user', content: step.text };
				yield entry({ type: 'user', message }, { permissionMode: 'default' });
				const messageId = parentUuid;
				const snapshot = { messageId, trackedFileBackups: {}, timestamp: time.iso() };
				yield line({ type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false });
				return;
			}
			case 'reply': {
				const id = `msg_01${random.letters(22)}`;
				const requestId = `req_011C${random.letters(20)}`;
				const blocks = claudeBlocks(step.reply);
				for (const [index, block] of blocks.entries()) {
					const final = index === blocks.length - 1;
					const message = claudeMessage(step.reply, id, block, final ? (step.last ? 'end_turn' : 'tool_use') : null);
					yield entry({ message, requestId, type: 'assistant' });
				}
				return;
			}
			case 'result': {
				const { call } = step;
				if (call.name === 'Bash' && random.chance(0.15)) {
					const data = { type: 'bash_progress', output: call.output.slice(-300), fullOutput: call.output };
					const progress = { type: 'progress', data, toolUseID: `bash-${random.int(0, 9)}`, parentToolUseID: call.id };
					yield line({
						parentUuid,
						isSidechain: false,
						...common,
						...progress,
						uuid: random.uuid(),
						timestamp: time.iso(),
					});
				}
				const content = call.image
					? [{ type: 'image', source: { type: 'base64', data: call.image, media_type: 'image/png' } }]
					: call.output;
				const result = {
					tool_use_id: call.id,
					type: 'tool_result',
					content,
					...(call.isError ? { is_error: true } : {}),
				};
				const tail = { toolUseResult: claudeDetail(call), sourceToolAssistantUUID: parentUuid };
				yield entry({ type: 'user', message: { role: 'user', content: [result] } }, tail);
				return;
			}
			case 'compaction': {
				const logicalParentUuid = parentUuid;
				parentUuid = null;
				const compactMetadata = { trigger: 'auto', preTokens: step.tokens };
				const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' };
				yield entry({ logicalParentUuid, ...boundary, isMeta: false, level: 'info', compactMetadata });
				const content = `This session is being continued from a previous conversation.\n${step.summary}`;
				const summary = { isVisibleInTranscriptOnly: true, isCompactSummary: true };
				yield entry({ type: 'user', message: { role: 'user', content }, ...summary });
				return;
			}
			case 'turn-end':
				yield* turnEnd();
		}
	}
	const path = `projects/${project.folder.replace(/[^A-Za-z0-9]/g, '-')}/${sessionId}.jsonl`;
	return { path, chunks: flatten(shape, write) };
};

function claudeBlocks(reply: Reply): readonly object[] {
	const { thinking, text } = reply;
	return [
		...(thinking ? [{ type: 'thinking', thinking: thinking.text, signature: thinking.signature }] : []),
		...(text ? [{ type: 'text', text }] : []),
		...reply.calls.map((call) => ({ type: 'tool_use', id: call.id, name: claudeTool(call), input: call.input })),
	];
}

const claudeTool = (call: Call): string => (call.name === 'Screenshot' ? 'Read' : call.name);

function claudeMessage({ model, usage }: Reply, id: string, block: object, stop: string | null): object {
	return {
		model,
		id,
		type: 'message',
		role: 'assistant',
		content: [block],
		stop_reason: stop,
		stop_sequence: null,
		usage: {
			input_tokens: usage.input,
			cache_creation_input_tokens: usage.cacheWrite,
			cache_read_input_tokens: usage.cacheRead,
			cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
			output_tokens: stop === null ? 1 : usage.output,
			service_tier: 'standard',
		},
	};
}

/** What Claude Code keeps of a result beside what the model got. */
function claudeDetail(call: Call): object {
	const filePath = call.file.path;
	switch (call.name) {
		case 'Read': {
			const numLines = call.file.text.split('\n').length;
			const file = { filePath, content: call.file.text, numLines, startLine: 1, totalLines: numLines };
			return { type: 'text', file };
		}
		case 'Edit': {
			const oldString = call.input.old_string ?? '';
			const newString = call.input.new_string ?? '';
			const lines = [
				...oldString.split('\n').map((text) => `-${text}`),
				...newString.split('\n').map((text) => `+${text}`),
			];
			const structuredPatch = [{ oldStart: 4, oldLines: 7, newStart: 4, newLines: 9, lines }];
			return { filePath, oldString, newString, originalFile: call.file.text, structuredPatch, userModified: false };
		}
		case 'Write':
			return { type: 'create', filePath, content: call.input.content, structuredPatch: [], originalFile: null };
		case 'Grep':
			return { mode: 'content', numFiles: 0, filenames: [], content: call.output };
		case 'Bash':
			return { stdout: call.output, stderr: '', interrupted: false, isImage: false };
		case 'Screenshot':
			return { type: 'image', file: { base64: call.image, type: 'image/png', originalSize: call.image?.length } };
	}
}

export const piSession: SessionMaker = (shape) => {
	const { random, conversation } = shape;
	const { folder } = conversation.project;
	const id = random.uuid();
	const time = clock(shape);
	const ids: string[] = [];
	function entry(type: string, fields: object): string {
		const parentId = ids.at(-1) ?? null;
		const own = random.hex(8);
		ids.push(own);
		return line({ type, id: own, parentId, timestamp: time.iso(), ...fields });
	}
	const message = (value: object) => entry('message', { message: { ...value, timestamp: time.now() } });
	function* write(step: Step): Generator<string> {
		if (ids.length === 0) {
			yield line({ type: 'session', version: 3, id, timestamp: time.iso(), cwd: folder });
			yield entry('model_change', { provider: 'anthropic', modelId: 'claude-opus-5-5' });
			yield entry('thinking_level_change', { thinkingLevel: 'medium' });
		}
		switch (step.kind) {
			case 'prompt':
				yield message({ role: 'user', content: [{ type: 'text', text: step.text }] });
				return;
			case 'reply':
				yield message(piReply(step.reply, step.last));
				return;
			case 'result': {
				const { call } = step;
				const content = call.image
					? [{ type: 'image', data: call.image, mimeType: 'image/png' }]
					: [{ type: 'text', text: call.name === 'Read' ? call.file.text : call.output }];
				const base = { role: 'toolResult', toolCallId: call.id, toolName: call.name.toLowerCase(), content };
				yield message({ ...base, details: { path: call.file.path }, isError: call.isError });
				return;
			}
			case 'compaction': {
				const firstKeptEntryId = ids.at(-12) ?? ids[0];
				const details = { readFiles: [], modifiedFiles: [] };
				yield entry('compaction', { summary: step.summary, firstKeptEntryId, tokensBefore: step.tokens, details });
			}
		}
	}
	const stamp = new Date(shape.start).toISOString().replace(/[:.]/g, '-');
	const path = `sessions/--${folder.slice(1).replaceAll('/', '-')}--/${stamp}_${id}.jsonl`;
	return { path, chunks: flatten(shape, write) };
};

function piReply({ thinking, text, calls, usage, model }: Reply, last: boolean): object {
	const { input, output, cacheRead, cacheWrite } = usage;
	const cost = {
		input: input * 5e-6,
		output: output * 25e-6,
		cacheRead: cacheRead * 5e-7,
		cacheWrite: cacheWrite * 6e-6,
	};
	const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
	return {
		role: 'assistant',
		content: [
			...(thinking ? [{ type: 'thinking', thinking: thinking.text, thinkingSignature: thinking.signature }] : []),
			...(text ? [{ type: 'text', text }] : []),
			...calls.map((call) => ({ type: 'toolCall', id: call.id, name: call.name.toLowerCase(), arguments: call.input })),
		],
		api: 'anthropic-messages',
		provider: 'anthropic',
		model,
		usage: { ...usage, totalTokens: input + output + cacheRead + cacheWrite, cost: { ...cost, total } },
		stopReason: last ? 'stop' : 'toolUse',
	};
}

export const clidoSession: SessionMaker = (shape) => {
	const { random, conversation } = shape;
	const { folder } = conversation.project;
	const id = random.uuid();
	let turns = 0;
	function* write(step: Step): Generator<string> {
		switch (step.kind) {
			case 'prompt': {
				const start = new Date(shape.start).toISOString();
				if (turns === 0)
					yield line({ type: 'meta', session_id: id, schema_version: 1, start_time: start, project_path: folder });
				turns += 1;
				yield line({ type: 'user_message', role: 'user', content: [{ text: step.text, type: 'text' }] });
				return;
			}
			case 'reply': {
				const { thinking, text, calls } = step.reply;
				const content = [
					...(thinking ? [{ thinking: thinking.text, type: 'thinking' }] : []),
					...(text ? [{ text, type: 'text' }] : []),
					...calls.map((call) => ({ id: call.id, input: call.input, name: call.name, type: 'tool_use' })),
				];
				yield line({ type: 'assistant_message', content });
				for (const call of calls)
					yield line({ type: 'tool_call', tool_use_id: call.id, tool_name: call.name, input: call.input });
				return;
			}
			case 'result': {
				const { call } = step;
				const result = { tool_use_id: call.id, content: call.image ?? call.output, is_error: call.isError };
				const read = { path: call.file.path, content_hash: random.hex(64), mtime_nanos: 1_742_560_200_000_000_000 };
				const file = call.name === 'Read' ? read : {};
				yield line({ type: 'tool_result', ...result, duration_ms: random.int(1, 9000), ...file });
			}
		}
	}
	function* chunks(): Generator<string> {
		yield* flatten(shape, write);
		if (shape.end === 'cut') return;
		const cost = { total_cost_usd: turns * 0.0125, num_turns: turns, duration_ms: turns * 21_000 };
		yield line({ type: 'result', exit_status: 'completed', ...cost });
	}
	return { path: `sessions/${folder.replaceAll('/', '_')}/${id}.jsonl`, chunks: chunks() };
};

function* flatten(shape: SessionShape, write: (step: Step) => Generator<string>): Generator<string> {
	for (const step of steps(shape)) yield* write(step);
}

/** Cline keeps one indented document and no compaction in it. */
export const clineSession: SessionMaker = (shape) => {
	const { random, conversation } = shape;
	const sessionId = `${shape.start}_${random.hex(5)}`;
	const time = clock(shape);
	function messageOf(step: Step): object | undefined {
		const base = { id: `msg_${random.letters(8)}` };
		switch (step.kind) {
			case 'prompt': {
				const text = `<user_input mode="act">${step.text}</user_input>`;
				return { ...base, role: 'user', content: [{ type: 'text', text }], ts: time.now() };
			}
			case 'reply': {
				const { usage } = step.reply;
				const tokens = { inputTokens: usage.input, outputTokens: usage.output };
				const cache = { cacheReadTokens: usage.cacheRead, cacheWriteTokens: usage.cacheWrite, cost: 0.0125 };
				const modelInfo = { id: step.reply.model, provider: 'anthropic', family: 'claude' };
				const content = claudeBlocks(step.reply);
				const metrics = step.last ? { metrics: { ...tokens, ...cache } } : {};
				return { ...base, role: 'assistant', content, ts: time.now(), modelInfo, ...metrics };
			}
			case 'result': {
				const { call } = step;
				const content = call.image
					? [{ type: 'image', data: call.image, mediaType: 'image/png' }]
					: [{ query: call.file.path, result: call.output, success: !call.isError }];
				const result = { type: 'tool_result', tool_use_id: call.id, name: claudeTool(call), content };
				return { ...base, role: 'user', content: [result], ts: time.now() };
			}
			default:
				return undefined;
		}
	}
	function* chunks(): Generator<string> {
		const updated = new Date(shape.start).toISOString();
		const origin = { source: 'cli', mode: 'user', sessionId, version: '3.0.65' };
		const head = JSON.stringify({ version: 1, updated_at: updated, agent: 'lead', sessionId, origin }, null, 2);
		yield `${head.slice(0, -2)},\n  "messages": [`;
		let first = true;
		for (const step of steps({ ...shape, compaction: false })) {
			const message = messageOf(step);
			if (message === undefined) continue;
			yield `${first ? '' : ','}\n    ${JSON.stringify(message, null, 2).replaceAll('\n', '\n    ')}`;
			first = false;
		}
		yield `\n  ],\n  "system_prompt": ${JSON.stringify(conversation.summary())}\n}\n`;
	}
	return { path: `data/sessions/${sessionId}/${sessionId}.messages.json`, chunks: chunks() };
};
