/** Cline's text to the model for a tool call whose result never came. */
export function unanswered(tool: string): string {
	return `Tool execution was interrupted before a result was produced.${tool === '' ? '' : ` Tool: ${tool}.`}`;
}
