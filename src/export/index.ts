/** A session to read: what `reprise show` prints, as parts or as Markdown, and after how many lines an output is folded. */
import { glance } from '../store/reader/glance.ts';
import { markdown } from './markdown.ts';
import type { Story, StoryOptions } from './story.ts';
import { openStory } from './story-file.ts';
import { type TranscriptOptions, type TranscriptPart, transcript } from './transcript.ts';

export interface ReadTranscriptOptions extends StoryOptions, TranscriptOptions {}

export interface MarkdownOptions extends ReadTranscriptOptions {
	/** Lines after which an output is folded. Default 12; `Infinity` shortens nothing. */
	readonly fold?: number;
	/** Show the id of each entry. */
	readonly ids?: boolean;
}

/** What was said and done in the session at `path`, part by part, so that a session of gigabytes is never held. */
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

/** How many lines of an output are shown where nobody asks for all. */
export const usualFold = 12;

/** Opens a session with the title that the list of sessions shows: the first prompt stands in for a missing one. */
export async function openTitled(path: string, options: StoryOptions): Promise<Story> {
	const story = await openStory(path, options);
	const title = glance({ path, format: story.format })?.title;
	return title === undefined ? story : { ...story, header: { ...story.header, title } };
}
