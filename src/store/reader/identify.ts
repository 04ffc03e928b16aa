/** Recognises whose session a file is: how many of its first bytes are read for that, and the words for a file that is no session. */
import { type Codec, codecs, detect } from '../../codecs/index.ts';
import { type NamedSource, type NotASession, notASession, openSource } from './open-source.ts';

export interface Identified {
	readonly ok: true;
	readonly codec: Codec;
	readonly dialect: string;
	/** The open source; the caller disposes of it. */
	readonly source: NamedSource;
}

/** Whose session a file is, or why it is none. `path` is a file, or `DB#SESSION` for a session inside a database. */
export function identify(path: string): Identified | NotASession {
	const opened = openSource(path);
	if (!opened.ok) return opened;
	const { source } = opened;
	const found = detectSource(source);
	if (found) return { ok: true, ...found, source };
	const message = unknownMessage(path, source);
	source[Symbol.dispose]();
	return notASession('unknown-format', message);
}

const firstProbe = 1 << 16;
/** Enough for the first lines of any session. */
const joinedProbe = 1 << 20;
const largestProbe = 1 << 26;

function detectSource(source: NamedSource): { codec: Codec; dialect: string } | undefined {
	for (let length = firstProbe; length <= largestProbe; length *= 8) {
		const head = source.read(0, length);
		const complete = length >= source.size;
		const found = detect(codecs, { head, complete });
		if (found !== 'more' || complete) return found === 'more' ? undefined : found;
	}
	return undefined;
}

function unknownMessage(path: string, source: NamedSource): string {
	const known = codecs.map((codec) => codec.name).join(', ');
	const text = `${path} is ${kindOf(source)}, not a session of a known agent (${known})`;
	if (!isJoined(source)) return text;
	return `${text}. If it is one that has lost its line breaks, repair it with --format and the name of its agent, such as: reprise repair FILE --format claude-code`;
}

/** Objects that follow each other without a line break, as in a session of lines whose newlines were removed. */
function isJoined(source: NamedSource): boolean {
	const [line = ''] = Buffer.from(source.read(0, joinedProbe)).toString('utf8').trimStart().split('\n', 1);
	return /^\{".*\}\s*\{"/.test(line);
}

function kindOf(source: { read(at: number, length: number): Uint8Array }): string {
	const head = source.read(0, 4096);
	if (head.includes(0)) return 'a binary file';
	const text = Buffer.from(head).toString('utf8').trimStart();
	return text.startsWith('{') || text.startsWith('[') ? 'JSON of another kind' : 'a text file';
}
