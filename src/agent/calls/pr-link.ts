/** The pull request that a command has made: `gh pr create` prints its address. */
import { isObject, type Json, type PrLinkEvent, type ToolCall } from '../../model/index.ts';
import type { ToolOutput } from '../contracts.ts';

const creates = /\bgh\s+pr\s+create\b/;
const address = /https?:\/\/[^\s/]+\/([^\s/]+\/[^\s/]+)\/pull\/(\d+)\b/g;

/** The last one that a call has made; undefined where it made none. Of a call with several commands, each has its own output. */
export function prLinkOf({ arguments: input }: ToolCall, output: ToolOutput): PrLinkEvent | undefined {
	const ran = output.answers ?? [{ input: input as Json, output }];
	return ran.flatMap((one) => madeBy(one.input, one.output) ?? []).at(-1);
}

/** The address is the last thing that is printed, whatever was said before. */
function madeBy(input: Json, { content, isError }: ToolOutput): PrLinkEvent | undefined {
	const command = isObject(input) ? input.command : undefined;
	if (isError || typeof command !== 'string' || !creates.test(command)) return undefined;
	const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
	const found = [...text.matchAll(address)].at(-1);
	if (found?.[1] === undefined) return undefined;
	return { type: 'pr_link', number: Number(found[2]), url: found[0], repository: found[1] };
}
