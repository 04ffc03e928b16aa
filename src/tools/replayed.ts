/** The tools of a recorded session: real ones where we have them, the recording itself where we do not; and when a result counts as the same. */
import type { Tool, ToolContext, ToolEffect, ToolOutput } from '../agent/contracts.ts';
import { isDenial } from '../agent/permissions/denial.ts';
import type { Recording } from '../agent/recording/recording.ts';
import {
	type Block,
	blockText,
	type FileState,
	type Json,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';
import { moved, OutsideError, type ReplayPlace, realCall } from './replay-place.ts';

export interface Compared {
	readonly call: string;
	readonly tool: string;
	readonly input: Json;
	/** `recorded`: there is no such tool here. `refused`: it may not be done here. Either way the recorded result was taken. */
	readonly how: 'same' | 'different' | 'recorded' | 'refused';
	readonly expected: string;
	/** What came of it now, or why it was refused. */
	readonly got: string;
}

export interface PlannedCall {
	readonly call: string;
	readonly tool: string;
	readonly effect: ToolEffect;
	/** What it does: a whole command, or the files in the copy. */
	readonly what: readonly string[];
	readonly refused?: string;
}

/** Everything that playing the recording will do, in order, for whoever has to agree to it. */
export async function plannedCalls(recording: Recording, place: ReplayPlace): Promise<readonly PlannedCall[]> {
	const planned: PlannedCall[] = [];
	for (const { id, name, input } of callsOf(recording)) {
		const real = await realCall(name, input, place);
		if (!real) continue;
		const parsed = real.tool.parse(real.input);
		const what = parsed.ok ? real.tool.subjects(parsed.input, place.scratch) : [];
		const { effect } = real.tool;
		const refused = deniedThen(recording.results.get(id)) ?? real.refused;
		planned.push({ call: id, tool: name, effect, what, ...(refused === undefined ? {} : { refused }) });
	}
	return planned;
}

/** Why a call is not made that was not allowed when it was recorded: nobody has agreed to it since. */
function deniedThen(result: ToolResultBlock | undefined): string | undefined {
	return result?.isError && isDenial(shown(result)) ? 'it was denied when it was recorded' : undefined;
}

function* callsOf({ turns }: Recording): Iterable<ToolCallBlock> {
	for (const { replies } of turns)
		for (const { content } of replies) for (const block of content) if (block.type === 'tool_call') yield block;
}

/** A tool for every name that the recording calls. Each result is compared with the recorded one. */
export function replayedTools(
	recording: Recording,
	place: ReplayPlace,
	compared: (one: Compared) => void,
): readonly Tool[] {
	const names = new Set(Array.from(callsOf(recording), ({ name }) => name));
	return [...names].map((name) => replayed(name, recording, place, compared));
}

function replayed(name: string, { results }: Recording, place: ReplayPlace, compared: (one: Compared) => void): Tool {
	return {
		name,
		description: `as recorded: ${name}`,
		inputSchema: { type: 'object' },
		effect: 'write', // one after the other, as the order of what they do matters
		parse: (input) => ({ ok: true, input }),
		subjects: () => [],
		async run(input, context) {
			const call = context.callId;
			const expected = results.get(call);
			const real = await realCall(name, input as Json, place);
			const base = { call, tool: name, input: input as Json };
			const asItWas = (how: 'recorded' | 'refused', why = ''): ToolOutput => {
				const text = expected ? shown(expected) : '';
				compared({ ...base, how, expected: text, got: why || text });
				return fromRecording(expected);
			};
			if (!real) return asItWas('recorded');
			const refused = deniedThen(expected) ?? real.refused;
			if (refused !== undefined) return asItWas('refused', refused);
			try {
				const output = asRecorded(await runReal(real.tool, real.input, context), place, context);
				if (expected) compared({ ...base, ...compare(real.tool.name, expected, output) });
				return output;
			} catch (error) {
				if (error instanceof OutsideError) return asItWas('refused', error.message);
				throw error;
			}
		},
	};
}

async function runReal(tool: Tool, input: Json, context: ToolContext): Promise<ToolOutput> {
	const parsed = tool.parse(input);
	if (!parsed.ok) return { content: [{ type: 'text', text: parsed.problem ?? parsed.issues }], isError: true };
	// For the tool the clock stands still: how often it looks depends on the machine, and every look would move the replay's clock.
	const at = context.host.now();
	return await tool.run(parsed.input, { ...context, host: { ...context.host, now: () => at } });
}

/** With the paths of the recording, and a file's time by the replay's clock: two replays have to be the same. */
function asRecorded(output: ToolOutput, { scratch, recorded }: ReplayPlace, { host }: ToolContext): ToolOutput {
	const { content, details, file } = output;
	return {
		...output,
		content: content.map((block) =>
			block.type === 'text' ? { ...block, text: moved(block.text, scratch, recorded) as string } : block,
		),
		...(details === undefined ? {} : { details: moved(details, scratch, recorded) }),
		...(file === undefined ? {} : { file: fileAsRecorded(file) }),
	};

	function fileAsRecorded(state: FileState): FileState {
		const path = moved(state.path, scratch, recorded) as string;
		return { ...state, path, ...(state.mtimeNs === undefined ? {} : { mtimeNs: `${host.now()}000000` }) };
	}
}

function fromRecording(result: ToolResultBlock | undefined): ToolOutput {
	if (!result)
		return { content: [{ type: 'text', text: 'The recording has no result for this call.' }], isError: true };
	const content = result.content.flatMap((block) => contentOf(block));
	return { content, isError: result.isError, ...(result.details === undefined ? {} : { details: result.details }) };
}

function contentOf(block: Block): ToolOutput['content'] {
	if (block.type === 'image' && 'base64' in block.data) {
		return [{ type: 'image', data: block.data.base64, mimeType: block.mime }];
	}
	return [{ type: 'text', text: blockText(block) }];
}

function compare(
	tool: string,
	expected: ToolResultBlock,
	output: ToolOutput,
): Pick<Compared, 'how' | 'expected' | 'got'> {
	const before = settled(shown(expected));
	const now = settled(textOf(output));
	const bothFailed = expected.isError && output.isError === true;
	// What a change or a failure is answered is each agent's own wording: that it happened is what counts.
	const words = tool === 'Write' || tool === 'Edit' || (bothFailed && tool !== 'Bash');
	const same = expected.isError === (output.isError === true) && (words || plain(tool, before) === plain(tool, now));
	return { how: same ? 'same' : 'different', expected: before, got: now };
}

function shown(result: ToolResultBlock): string {
	return result.content.map(blockText).join('\n');
}

function textOf({ content }: ToolOutput): string {
	return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** Reminders that a client adds to results are not what the tool said. */
function settled(text: string): string {
	return text.replaceAll(/\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/g, '\n').replace(/\s+$/, '');
}

/** Line numbers and words for nothing are spelled differently by different agents. */
function plain(tool: string, text: string): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	if (tool === 'Read')
		return lines
			.map((line) => line.replace(/^\s*\d+(→|\t|: | \| )/, ''))
			.join('\n')
			.trim();
	const said = lines.join('\n').trim();
	return /^\((no output|Bash completed with no output)\)$/.test(said)
		? ''
		: said.replace(/^(Error: )?Exit code \d+\n?/, '');
}
