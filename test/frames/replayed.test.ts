/** What hosts sent to the real client, sent to ours, with the same replies: its frames, questions and answers have the shapes that were recorded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { familyOf, parseFrame } from '../../src/frames/parse.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { ClientStage } from '../support/client.ts';
import { recorded, replay } from '../support/recorded-host.ts';
import { asRequest, learn, misfits, type Shape, sorted } from '../support/recorded-shapes.ts';

const corpus = join(import.meta.dirname, '../corpus/frames/0.3.325');
const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
/** The real client ends at a line that is no frame, and ours goes on: that one is told in a test of its own. */
const scenarios = readdirSync(corpus).filter((name) => name !== 'raw_malformed');

describe('the schemas', () => {
	it.each(scenarios)('hold for all that was recorded: %s', (scenario) => {
		const all = [...recorded(scenario, 'stdout.ndjson'), ...recorded(scenario, 'stdin.ndjson')].map((frame) =>
			parseFrame(frame),
		);
		expect(all.filter(({ is }) => is === 'odd' || is === 'broken')).toEqual([]);
	});
});

const shapes = new Map<string, Shape>();
for (const scenario of scenarios) {
	const requests = new Map(
		recorded(scenario, 'stdin.ndjson').flatMap(({ request_id: id, request }) =>
			request ? [[String(id), request as JsonObject] as const] : [],
		),
	);
	for (const frame of recorded(scenario, 'stdout.ndjson'))
		for (const one of sorted(frame, requests)) learn(shapes, one);
}

/** Fields that the real client always sends and ours does not, because there is nothing behind them here: docs/frames.md says why. */
const leftOut: readonly RegExp[] = [
	/^init: (terminal_slash_commands|analytics_disabled|product_feedback_disabled|memory_paths|messaging_socket_path) /,
	/^init: (fast_mode_\w+|per_turn_effort_active|ultrathink_\w+|view_mode) /,
	/^result \w+: (fast_mode_\w+|subagent_stats|safety_stops|errors|(ttft_stream|time_to_request|first_content_frame)_ms) /,
	// A command that no model was asked for has no first token.
	/^result \w+: (ttft_ms|terminal_reason) /,
	/^task_\w+: run_id /,
	/^answer to initialize: (fast_mode_\w+|user_output_styles_dir|other_hook_ask_outranks_host|feedback_mode|analytics_disabled) /,
	/^answer to initialize: (remote_control_\w+|ide_rc_auto_enable_gate) /,
	/^answer to get_context_usage: (autocompactSource|mcpInstructions|slashCommands|skills|autoCompactThreshold) /,
	/^answer to get_context_usage: messageBreakdown /,
	// Known with the first piece of a reply, not before.
	/^stream_event: api_message_id /,
	/^answer to get_binary_version: buildTime /,
	/^hook \w+: (effort|session_title|source) /,
	/^compact_boundary: logical_parent_uuid /,
	// Where the host has named its prompt.
	/^conversation_reset: user_message_uuid /,
	/^informational: tag /,
	/^result error_during_execution: the type of stop_reason$/,
	/^request elicitation: (title|elicitation_id|requested_schema) /,
];

/** Families that a recorded host got and ours does not. */
const notSent: { readonly [scenario: string]: readonly string[] } = {
	// Made by the server that was recorded, which ours is not.
	elicit: ['elicitation_complete'],
	// Two short turns do not become shorter, and ours says so instead of making them longer.
	compact: ['compact_boundary', 'user'],
	// Rate limits are told to everybody here, not to subscribers alone.
	ratelimit: [],
};

describe('a recorded host', () => {
	it.each(scenarios)(
		'%s gets the families, fields and answers that were recorded, from init to result',
		async (name) => {
			await using played = await replay(stage, name);
			const { host, asked, requests } = played;
			expect(host.parsed.filter(({ is }) => is !== 'frame')).toEqual([]);
			const wanted = new Set(recorded(name, 'stdout.ndjson').flatMap((frame) => familyOf(frame) ?? []));
			const got = new Set([
				...host.frames.map((frame) => familyOf(frame as unknown as JsonObject)),
				...asked.map((request) => familyOf({ type: 'control_request', request })),
			]);
			const left = notSent[name] ?? [];
			expect([...wanted].filter((family) => !got.has(family) && !left.includes(family))).toEqual([]);
			const ours = [
				...host.frames.flatMap((frame) => sorted(frame as unknown as JsonObject, requests)),
				...asked.flatMap(asRequest),
			];
			const wrong = ours
				.flatMap((one) => misfits(shapes, one))
				.filter((text) => !leftOut.some((known) => known.test(text)));
			expect([...new Set(wrong)]).toEqual([]);
			expect(unanswered(host.frames as unknown as JsonObject[], requests)).toEqual([]);
			const kinds = host.kinds.filter((kind) => ['init', 'assistant', 'result'].includes(kind));
			expect([kinds[0], kinds.at(-1)]).toEqual(['init', 'result']);
			const states = host.of('session_state_changed').map(({ state }) => state);
			expect([states[0], states.at(-1)]).toEqual(['running', 'idle']);
		},
	);
});

/** Requests without exactly one answer. */
function unanswered(frames: readonly JsonObject[], requests: ReadonlyMap<string, JsonObject>): readonly string[] {
	const answers = frames.flatMap(({ type, response }) =>
		type === 'control_response' ? [String((response as JsonObject).request_id)] : [],
	);
	return [...requests.keys()].filter((id) => answers.filter((one) => one === id).length !== 1);
}
