/** What the client tells the model in place of a result that never came. */
export const unanswered = '[interrupted — tool execution did not complete]';
