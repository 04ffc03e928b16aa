/** Makes a codec of what a format defines. Defaults for what it leaves out are here and nowhere else. */
import { type Capabilities, history } from '../../model/index.ts';
import type { Codec, ContextPart, EncodedPieces, EncodeInput, ForkInput, PlacesPart, WritePart } from '../codec.ts';
import type { Context } from './context/context.ts';
import type { LivePart } from './live.ts';
import type { ProfileRules } from './profiles.ts';
import { isPlainId, uuidOf } from './write/new-id.ts';
import { joined } from './write/pieces.ts';

type Given<Part, Needed extends keyof Part> = Pick<Part, Needed> & Partial<Part>;

type Filled = 'capabilities' | 'profiles' | 'write' | 'context' | 'places' | 'live';

/** What a format has to define: the smallest one reads, writes, checks and finds its files. */
export interface Format extends Omit<Codec, Filled> {
	/** A capability that is missing is denied. */
	readonly capabilities: Partial<Capabilities>;
	/** Absent: there is one dialect, named like the format, and it is the same in both profiles. */
	readonly profiles?: ProfileRules;
	readonly write: Given<WritePart, 'encodeInPieces'>;
	/** Absent: nobody knows what the client would send. */
	readonly context?: Partial<ContextPart>;
	readonly places: Given<PlacesPart, 'roots' | 'sessions' | 'place'>;
	readonly live?: Partial<LivePart>;
}

export function defineCodec(format: Format): Codec {
	const { capabilities, profiles, write, context, places, live } = format;
	const unchanged = (input: EncodeInput): EncodedPieces | undefined => untouched(format, input);
	const encodeInPieces: WritePart['encodeInPieces'] = (input) => unchanged(input) ?? write.encodeInPieces(input);
	const encode: WritePart['encode'] = (input) => {
		const same = unchanged(input);
		return !same && write.encode ? write.encode(input) : joined(same ?? write.encodeInPieces(input));
	};
	return {
		...format,
		capabilities: { ...nothing, ...capabilities },
		profiles: profiles ?? { dialects: { [format.id]: ['client', 'published'] } },
		write: {
			fork: (input) => forkByWriting(encode, input),
			newId: (random) => uuidOf(random, 4),
			takesId: isPlainId,
			newEntryId: (random) => uuidOf(random, 4),
			...write,
			encode,
			encodeInPieces,
		},
		context: {
			unanswered: () => 'The call was interrupted: there is no result.',
			build: () => unknownContext(format.name),
			...context,
		},
		places: { ending: '.jsonl', sideFiles: () => [], ...places },
		live: { abortedCalls: 'answer', emptyAborted: false, interrupted: () => undefined, ...live },
	};
}

/** The bytes without new entries: none for lines, the same for a document, so that flaws stay as they are. */
function untouched(
	{ profiles, capabilities }: Format,
	{ after, entries, more, losses = [] }: EncodeInput,
): EncodedPieces | undefined {
	if (!after || entries.length > 0 || more || profiles?.readOnly?.includes(after.dialect)) return undefined;
	const isDocument = capabilities.container === 'document';
	return { pieces: isDocument ? [after.source.read(0, after.source.size)] : [], losses, beside: [] };
}

const nothing: Capabilities = {
	container: 'lines',
	graph: 'line',
	subagents: 'none',
	compaction: false,
	thinking: false,
	thinkingSignatures: false,
	redactedThinking: false,
	images: false,
	imagesInResults: false,
	documents: false,
	times: false,
	ids: false,
	model: false,
	usage: false,
	cost: false,
	stopReasons: false,
	toolResultDetails: false,
	checkpoints: false,
	labels: false,
	titles: false,
	systemPrompt: false,
	events: false,
	gitBranch: false,
};

function unknownContext(client: string): Context {
	const refused = `nobody knows what ${client} sends when it resumes a session`;
	return { client: 'unknown', messages: [], from: [], refused, unknown: true };
}

/** The fork for a client without a way of its own: the conversation so far, written as a new session. */
function forkByWriting(
	encode: WritePart['encode'],
	{ session, at, id, time, to, profile }: ForkInput,
): ReturnType<WritePart['fork']> {
	const header = { ...session.header, id, created: time };
	const said = new Set(history(session, at));
	const entries = session.entries.filter((entry) => said.has(entry) || entry.kind === 'setting');
	const { bytes, beside, losses } = encode({ profile, id, header, path: to, entries, leaf: at });
	return { pieces: [bytes], beside, losses };
}
