/** Clido: its codec, the types of its lines, and the reader that its document shows. */
import type { SessionLine } from './codecs/clido/lines.ts';
import { typedLines } from './codecs/clido/read/typed-lines.ts';
import type { Line } from './codecs/shared/read/line.ts';
import { lineReader } from './codecs/shared/read/line-reader.ts';
import { openFile } from './log/file-source.ts';
import { piecesOf } from './model/index.ts';
import { InputError } from './store/errors.ts';

export { clido } from './codecs/clido/index.ts';
export type {
	AssistantMessageLine,
	ContentBlock,
	ImageBlock,
	LineType,
	MetaLine,
	ResultLine,
	SessionLine,
	SystemLine,
	TextBlock,
	ThinkingBlock,
	TitleLine,
	ToolCallLine,
	ToolResultBlock,
	ToolResultLine,
	ToolUseBlock,
	UserMessageLine,
} from './codecs/clido/lines.ts';
export { clientFolder, dataDir, publishedFolder } from './codecs/clido/places/locate.ts';

/**
 * Iterates over the lines of a file without holding more of it in memory than one piece. A line that Clido itself would
 * refuse ends the iteration with an InputError that names it; the lines before it have been given by then.
 */
export class SessionReader implements Iterable<SessionLine> {
	readonly path: string;

	private constructor(path: string) {
		this.path = path;
	}

	/** Throws when the file cannot be read. */
	static open(path: string): SessionReader {
		openFile(path)[Symbol.dispose]();
		return new SessionReader(path);
	}

	*[Symbol.iterator](): Generator<SessionLine, void, undefined> {
		using source = openFile(this.path);
		const reader = lineReader();
		const typed = typedLines();
		let read: SessionLine[] = [];
		let failed: InputError | undefined;
		const visit = (line: Line): void => {
			if (line.part === 'gap' || failed) return;
			const result = typed(line);
			if (result.ok) read.push(result.line);
			else failed = new InputError('clido/line', `${this.path}: line ${line.line}: ${result.why}`);
		};
		for (const piece of piecesOf(source)) {
			reader.push(piece, visit);
			yield* read;
			read = [];
			if (failed) throw failed;
		}
		reader.end(visit);
		yield* read;
		if (failed) throw failed;
	}
}
