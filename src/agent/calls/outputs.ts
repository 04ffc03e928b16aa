/** Results of calls: of one that worked, of those that did not (failed, refused, interrupted, wrong input, no JSON, no such tool), and of one that the user has edited before allowing it. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, jsonText } from '../../model/index.ts';
import type { ToolOutput, WrongInput } from '../contracts.ts';

/** Something went wrong while the tool ran. */
export function failed(text: string): ToolOutput {
	return { content: [{ type: 'text', text }], isError: true, details: `Error: ${text}` };
}

/** Nothing was run: the mark tells models that the call has to be made differently. */
export function refused(text: string): ToolOutput {
	return { ...failed(text), content: [{ type: 'text', text: `<tool_use_error>${text}</tool_use_error>` }] };
}

/** The call worked: what the model is told, and what is kept of it beside that. */
export function said(text: string, details: Json): ToolOutput {
	return { content: [{ type: 'text', text }], details };
}

/** Nothing was run, since the user wanted no more of it. */
export function notRun(): ToolOutput {
	return failed('The user interrupted before this was run.');
}

export function wrongInput(tool: string, { problem, issues }: WrongInput): ToolOutput {
	const count = problem?.includes('\n') ? 'issues' : 'issue';
	const said = problem === undefined ? issues : `${tool} failed due to the following ${count}:\n${problem}`;
	return { ...refused(`InputValidationError: ${said}`), details: `InputValidationError: ${issues}` };
}

/** First of all, since what follows came of something else than the model wanted. Tools that change files say it in their own words. */
export function toldEdited(output: ToolOutput, wanted: Json, ran: Json): ToolOutput {
	if (isObject(output.details) && output.details.userModified === true) return output;
	const before = isObject(wanted) ? wanted : {};
	const fields = Object.entries(isObject(ran) ? ran : {}).filter(
		([name, value]) => !isDeepStrictEqual(value, before[name]),
	);
	const texts = fields.map(
		([name, value]) => `${name}: ${typeof value === 'string' ? value : jsonText(value ?? null)}`,
	);
	const text = `The user edited this call before allowing it. What was run instead:\n${texts.join('\n')}\n`;
	return { ...output, content: [{ type: 'text', text }, ...output.content] };
}

const mostRaw = 200;

export function noJson(tool: string, raw: string): ToolOutput {
	const bytes = new TextEncoder().encode(raw).length;
	const sent = `You sent (first ${Math.min(bytes, mostRaw)} of ${bytes} bytes): ${raw.slice(0, mostRaw)}`;
	const causes =
		'Common causes: unescaped backslashes in file paths (use / or \\\\), unescaped control characters, or truncated output. Retry with valid JSON.';
	return refused(
		`InputValidationError: ${tool} was called with input that could not be parsed as JSON.\n${sent}\n${causes}`,
	);
}

export function noTool(name: string, tools: readonly string[]): ToolOutput {
	const meant = tools.find((tool) => tool.toLowerCase() === name.toLowerCase());
	const hint = meant === undefined ? '' : `. Tool names are case-sensitive: call ${meant} instead.`;
	return refused(`Error: No such tool available: ${name}${hint}`);
}
