/** The client's text to the model for a result that never came. */
export function unanswered(tool: string): string {
	return `Tool execution was interrupted before a result was produced.${tool === '' ? '' : ` Tool: ${tool}.`}`;
}
