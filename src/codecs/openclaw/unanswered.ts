/** What the client tells the model in place of a result that never came. */

/** pi; OpenClaw has a longer sentence of its own. */
export const unanswered = 'No result provided';
