/** Claude Code's text to the model for a tool call whose result never came. */

/** By Claude Code 2.1.325; version 2.1.29 leaves such a call out. */
export const unanswered =
	"[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";
