/** An answer that programs read (`--json-schema`): the model gives it with a tool whose input has the asked shape; how often it is told to where it does not. */
import { z } from 'zod';
import type { RunResult } from '../agent/config.ts';
import type { Hook, Tool } from '../agent/contracts.ts';
import { errorText, isObject, type Json, type JsonObject, parsedJson } from '../model/index.ts';
import { InputError } from '../store/errors.ts';

/** Claude Code's name for it. */
const name = 'StructuredOutput';
/** So often is a model told that its answer is missing or has another shape. */
const mostTries = 5;

export class StructuredOutput {
	readonly tool: Tool;
	readonly hook: Hook;
	#value: Json | undefined;
	#tries = 0;

	/** Throws where the text is no schema of an object. */
	constructor(schema: string) {
		const inputSchema = parsedJson(schema);
		if (!isObject(inputSchema) || inputSchema.type !== 'object')
			throw new InputError('usage', '--json-schema: it is not a JSON Schema of an object');
		this.tool = this.#tool(inputSchema, checkOf(inputSchema));
		this.hook = {
			on: 'Stop',
			name,
			run: async () => {
				if (this.#value !== undefined || this.#tries >= mostTries) return undefined;
				this.#tries += 1;
				return {
					continueWith: `You have not given your answer yet: call the tool ${name} with it, as its schema says.`,
				};
			},
		};
	}

	/** Another prompt is another answer. */
	begin(): void {
		this.#value = undefined;
		this.#tries = 0;
	}

	/** The result with the answer; a run that ended well without one has failed. */
	of(result: RunResult): RunResult {
		if (this.#value !== undefined) return { ...result, structured: { value: this.#value } };
		if (result.outcome !== 'success' || result.deferred) return result;
		const problem = `the model gave no answer in the asked shape, although it was told ${mostTries} times`;
		return { ...result, outcome: 'error', problem, structured: { tries: this.#tries } };
	}

	#tool(inputSchema: JsonObject, check: z.ZodType): Tool {
		const tool: Tool<Json> = {
			name,
			description: 'Gives your answer in the shape that its schema says. Call it once, at the end of your work.',
			inputSchema,
			effect: 'read',
			parse(input) {
				const read = check.safeParse(input);
				return read.success
					? { ok: true, input }
					: { ok: false, issues: read.error.message, problem: wrong(read.error) };
			},
			subjects: () => [],
			run: async (input) => {
				this.#value = input;
				return { content: [{ type: 'text', text: 'The answer was taken.' }] };
			},
		};
		return tool as Tool;
	}
}

function checkOf(schema: JsonObject): z.ZodType {
	try {
		return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	} catch (error) {
		throw new InputError('usage', `--json-schema: ${errorText(error)}`);
	}
}

function wrong({ issues }: z.ZodError): string {
	return issues.map(({ path, message }) => `${path.join('.') || 'the input'}: ${message}`).join('\n');
}
