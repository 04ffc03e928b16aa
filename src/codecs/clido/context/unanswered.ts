/** The client's text to the model for a result that never came. */
export const unanswered = '[interrupted — tool execution did not complete]';
