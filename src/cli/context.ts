/** `reprise context SESSION`: the messages a model would receive. */
import { InvalidArgumentError, Option } from 'commander';
import type { Context, WireMessage } from '../codecs/index.ts';
import { compact, isObject, type JsonObject, jsonText } from '../model/index.ts';
import { sessionPath } from '../store/find/find-session.ts';
import { contextOf, seedContextOf } from '../store/reader/context.ts';
import { type ContextShape, contextShapes, shapeMessages } from '../store/reader/context-shapes.ts';
import type { Define } from './commands.ts';
import { complain, paint, printJson, printProse } from './print.ts';
import { sessionHelp } from './session-argument.ts';

interface Options {
	readonly json?: boolean;
	readonly client?: string;
	readonly rules: 'client' | 'seed';
	readonly at?: string;
	readonly as?: ContextShape;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('--json', 'print one JSON document')
		.option(
			'--client <version>',
			'apply the resume rules of this client version (default: the version that wrote the last message, else the newest known)',
			clientVersion,
		)
		.addOption(
			new Option(
				'--rules <rules>',
				'client: as the real client resumes; seed: as the document of Claude Code’s format describes',
			)
				.choices(['client', 'seed'])
				.default('client'),
		)
		.option('--at <entry>', 'resume at this entry instead of the last')
		.addOption(
			new Option('--as <shape>', 'print the messages as this provider’s API takes them').choices(
				Object.keys(contextShapes),
			),
		)
		.addHelpText(
			'after',
			'\nExamples:\n  reprise context samples/claude-code.jsonl\n  reprise context samples/clido.jsonl --json\n  reprise context samples/openclaw.jsonl --as openai-chat',
		)
		.action((session: string, options: Options) => {
			const { client, at } = options;
			const path = sessionPath(session);
			const context =
				options.rules === 'seed'
					? seedContextOf(path)
					: contextOf(path, { ...(client ? { client } : {}), ...(at ? { at } : {}) });
			if (context.refused !== undefined) {
				outcome.code = 1;
				complain(context.unknown ? context.refused : `the client would not resume this session: ${context.refused}`);
			}
			if (options.as !== undefined) printJson({ ...document(context), messages: shapeMessages(context, options.as) });
			else if (options.json) printJson(document(context));
			else printProse(context.messages.map(describe).join('\n\n'));
		});
};

function clientVersion(given: string): string {
	if (!/^\d/.test(given)) throw new InvalidArgumentError('Use a version, such as 2.1.325.');
	return given;
}

function document(context: Context): object {
	const { provider, model, system, messages, client, from, refused } = context;
	return compact({
		provider: provider || undefined,
		model: model || undefined,
		system,
		client,
		messages,
		from,
		refused,
	});
}

function describe(message: WireMessage): string {
	const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
	return [paint('bold', message.role), ...blocks.map((block) => `  ${blockLine(block).replaceAll('\n', '\n  ')}`)].join(
		'\n',
	);
}

function blockLine(block: JsonObject): string {
	switch (block.type) {
		case 'text':
			return String(block.text);
		case 'thinking':
			return paint('dim', `(thinking) ${String(block.thinking)}`);
		case 'tool_use':
			return `${paint('cyan', String(block.name))} ${jsonText(block.input ?? null)}`;
		case 'tool_result':
			return `${paint('cyan', block.is_error === true ? 'error' : 'result')} ${contentText(block)}`;
		default:
			return `(${String(block.type)})`;
	}
}

function contentText({ content }: JsonObject): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content
		.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : jsonText(part)))
		.join('\n');
}
