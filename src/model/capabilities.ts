/** What a format can hold. What it cannot hold becomes losses of a conversion. */
export interface Capabilities {
	/** `lines`: the client appends to the file. `document`: one JSON value, replaced as a whole. */
	readonly container: 'lines' | 'document';
	/** `tree`: every entry names its parent. `line`: each follows the one before. */
	readonly graph: 'tree' | 'line';
	readonly subagents: 'files' | 'none';
	readonly compaction: boolean;
	readonly thinking: boolean;
	readonly thinkingSignatures: boolean;
	readonly redactedThinking: boolean;
	readonly images: boolean;
	readonly imagesInResults: boolean;
	readonly documents: boolean;
	/** True where messages have times. */
	readonly times: boolean;
	/** True where messages have ids. */
	readonly ids: boolean;
	readonly model: boolean;
	readonly usage: boolean;
	readonly cost: boolean;
	readonly stopReasons: boolean;
	readonly toolResultDetails: boolean;
	readonly checkpoints: boolean;
	readonly labels: boolean;
	readonly titles: boolean;
	readonly systemPrompt: boolean;
	readonly events: boolean;
	readonly gitBranch: boolean;
}
