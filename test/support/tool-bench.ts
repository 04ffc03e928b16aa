/** A project in a scratch folder, and tools that work in it as the loop lets them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { wrongInput } from '../../src/agent/calls/outputs.ts';
import type { Tool, ToolContext, ToolOutput } from '../../src/agent/contracts.ts';
import { endConversation, newConversation } from '../../src/agent/run.ts';
import { nodeHost } from '../../src/host/node-host.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { scratchMachine } from './scratch.ts';

export function toolBench(files: { readonly [name: string]: string | Buffer } = {}) {
	const scratch = scratchMachine();
	onTestFinished(async () => {
		await endConversation({ ...newConversation(), kept: context.kept });
		scratch[Symbol.dispose]();
	});
	const cwd = scratch.folder('project');
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(cwd, name)), { recursive: true });
		writeFileSync(join(cwd, name), content);
	}
	const updates: JsonObject[] = [];
	const notices: string[] = [];
	const changes: [string, string | null][] = [];
	const outputs = join(scratch.root, 'outputs');
	const control = new AbortController();
	const context: { -readonly [K in keyof ToolContext]: ToolContext[K] } = {
		cwd,
		folders: [cwd],
		moveTo(folder) {
			context.cwd = folder;
		},
		outputFolder: outputs,
		signal: control.signal,
		host: nodeHost(),
		callId: 'c1',
		seen: new Map(),
		kept: new Map(),
		earlier: [],
		hides: async () => undefined,
		mode: 'default',
		userAllowed: false,
		userModified: false,
		allowsHost: () => false,
		consult: async ({ text }) => ({ text: `asked: ${text}` }),
		update: (partial) => updates.push(partial),
		notify: (text) => void notices.push(text),
		changing: async (path, before) => void changes.push([path, before && Buffer.from(before).toString()]),
	};
	const at = (name: string): string => join(cwd, name);
	/** What the loop would answer, input that is wrong included. */
	const use = async (tool: Tool, input: JsonObject): Promise<ToolOutput> => {
		const parsed = tool.parse(input);
		return parsed.ok ? await tool.run(parsed.input, context) : wrongInput(tool.name, parsed);
	};
	return { cwd, at, use, context, updates, notices, changes, control, outputs };
}

export const textOf = ({ content }: ToolOutput): string =>
	content.map((one) => (one.type === 'text' ? one.text : '<image>')).join('');
