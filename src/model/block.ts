/** Blocks: what a message is made of, whichever agent wrote it. */
import type { Json } from './json.ts';

export type Block =
	| TextBlock
	| ThinkingBlock
	| MediaBlock
	| ToolCallBlock
	| ToolResultBlock
	| FileBlock
	| DataBlock
	| OpaqueBlock;

export interface TextBlock {
	readonly type: 'text';
	readonly text: string;
	/** The provider's proof or item id for this text; only the same provider can use it. */
	readonly signature?: string;
}

export interface ThinkingBlock {
	readonly type: 'thinking';
	readonly text: string;
	readonly signature?: string;
	/** The encrypted payload of a redacted block; `text` is then empty or a placeholder. */
	readonly redacted?: string;
}

export interface MediaBlock {
	readonly type: 'image' | 'document';
	readonly mime: string;
	readonly data: { readonly base64: string } | { readonly url: string } | { readonly file: string };
}

export interface ToolCallBlock {
	readonly type: 'tool_call';
	readonly id: string;
	readonly name: string;
	readonly input: Json;
	readonly signature?: string;
}

export interface ToolResultBlock {
	readonly type: 'tool_result';
	/** The id of the tool call that the result answers. */
	readonly call: string;
	readonly name?: string;
	readonly content: readonly Block[];
	readonly isError: boolean;
	/** Structured result for display; never sent to a model. */
	readonly details?: Json;
	readonly durationMs?: number;
	readonly file?: FileState;
}

/** A file that a message carries with it. */
export interface FileBlock {
	readonly type: 'file';
	readonly path: string;
	readonly text: string;
}

/** Structured output that is neither text nor media. */
export interface DataBlock {
	readonly type: 'data';
	readonly value: Json;
}

/** A block we do not model: kept as it is. `of` is its own type name. */
export interface OpaqueBlock {
	readonly type: 'opaque';
	readonly of: string;
	readonly value: Json;
}

/** A file as a tool saw it, to notice later that it has changed. */
export interface FileState {
	readonly path: string;
	/** Lower-case hex, without a prefix. */
	readonly sha256?: string;
	/** Nanoseconds since the epoch, as digits: the number does not fit a double. */
	readonly mtimeNs?: string;
}
