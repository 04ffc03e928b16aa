/** Clido's text to the model for a tool call whose result never came. */
export const unanswered = '[interrupted — tool execution did not complete]';
