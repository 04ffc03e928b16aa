/** What a channel is told when a run is over (`ReplyPayload`): the last text or what went wrong, and which images go along. */
import type { ToolResultMessage } from '../model/index.ts';
import type { RunResult } from './config.ts';
import type { ReplyPayload } from './events.ts';
import type { Run } from './run.ts';

/** The last reply, or what went wrong. Media are the addresses that the reply shows as images, and images of tools. */
export async function reply(run: Run | RunResult, replyToId?: string): Promise<ReplyPayload> {
	const result = 'result' in run ? await run.result : run;
	const isError = result.outcome !== 'success';
	const text = result.text || (isError ? (result.problem ?? '') : '');
	const media = [...shownIn(result.text), ...madeBy(result)];
	return {
		...(text === '' ? {} : { text }),
		...(media.length === 1 ? { mediaUrl: media[0] as string } : {}),
		...(media.length > 1 ? { mediaUrls: media } : {}),
		...(replyToId === undefined ? {} : { replyToId }),
		...(isError ? { isError } : {}),
	};
}

const markdownImage = /!\[[^\]]*\]\((\S+?)(?:\s+"[^"]*")?\)/g;

function shownIn(text: string): readonly string[] {
	return [...text.matchAll(markdownImage)].map((match) => match[1] as string);
}

/** Images that tools returned after the last prompt. */
function madeBy({ messages }: RunResult): readonly string[] {
	const results = messages.filter((message): message is ToolResultMessage => message.role === 'toolResult');
	return results.flatMap(({ content }) =>
		content.flatMap((block) => (block.type === 'image' ? [`data:${block.mimeType};base64,${block.data}`] : [])),
	);
}
