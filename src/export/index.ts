/** A session to read: what `reprise show` prints, as parts or as Markdown. */
import { glance } from '../store/reader/glance.ts';
import { markdown } from './markdown.ts';
import type { Story, StoryOptions } from './story.ts';
import { openStory } from './story-file.ts';
import { type TranscriptOptions, type TranscriptPart, transcript } from './transcript.ts';

export interface ReadTranscriptOptions extends StoryOptions, TranscriptOptions {}

export interface MarkdownOptions extends ReadTranscriptOptions {
	/** Lines after which an output is folded. Default 12; `Infinity` shortens nothing. */
	readonly fold?: number;
	/** With the id of each entry. */
	readonly ids?: boolean;
}

/** What was said and done in the session at `path`, in order, part by part: of a session of gigabytes nothing is held. */
export async function* readTranscript(
	path: string,
	options: ReadTranscriptOptions = {},
): AsyncGenerator<TranscriptPart, void, undefined> {
	using story = await openStory(path, options);
	yield* transcript(story, options);
}

/** What was said and done in the session at `path`, as one Markdown document. */
export async function transcriptMarkdown(path: string, options: MarkdownOptions = {}): Promise<string> {
	using story = await openTitled(path, options);
	const { fold = usualFold, ids = false } = options;
	return [...markdown(story, transcript(story, options), { fold, ids })].join('');
}

/** Lines of an output that are shown where nobody asks for all. */
export const usualFold = 12;

/** With the title that the list of sessions has: the first prompt stands in for one that was never given. */
export async function openTitled(path: string, options: StoryOptions): Promise<Story> {
	const story = await openStory(path, options);
	const title = glance({ path, format: story.format })?.title;
	return title === undefined ? story : { ...story, header: { ...story.header, title } };
}
