/** Makes a tool of a schema and a function: the schema checks the input and describes it to the model. */
import { z } from 'zod';
import type { Tool, ToolContext, ToolEffect, ToolOutput } from '../agent/contracts.ts';
import type { Json, JsonObject } from '../model/index.ts';

export interface Definition<S extends z.ZodObject> {
	readonly name: string;
	readonly description: string;
	readonly effect: ToolEffect;
	readonly input: S;
	subjects(input: z.infer<S>, cwd: string): readonly string[];
	run(input: z.infer<S>, context: ToolContext): Promise<ToolOutput>;
}

export function defineTool<S extends z.ZodObject>(definition: Definition<S>): Tool {
	const { input, ...rest } = definition;
	const { $schema: _, ...inputSchema } = z.toJSONSchema(input) as JsonObject;
	const tool: Tool<z.infer<S>> = {
		...rest,
		inputSchema,
		parse(given: Json) {
			const parsed = input.safeParse(given);
			if (parsed.success) return { ok: true, input: parsed.data };
			const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
			return { ok: false, problem: problems.join('; ') };
		},
	};
	return tool as Tool;
}
