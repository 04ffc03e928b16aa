/** `reprise context SESSION`: prints the messages a model would receive, and with --diff what a compaction took away. Which messages these are, the codecs decide. */
import { InvalidArgumentError, Option } from 'commander';
import type { Context, WireMessage } from '../../codecs/index.ts';
import { compact, isObject, type JsonObject, jsonText } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { type CompactionView, type ContextPart, compactionView } from '../../store/reader/compaction-view.ts';
import { contextOf, seedContextOf } from '../../store/reader/context.ts';
import { type ContextShape, contextShapes, shapeMessages } from '../../store/reader/context-shapes.ts';
import { complain, paint, printJson, printProse } from '../../terminal/print.ts';
import type { Define } from '../commands.ts';
import type { ExitCode } from '../main.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly json?: boolean;
	readonly client?: string;
	readonly rules: 'client' | 'seed';
	readonly at?: string;
	readonly as?: ContextShape;
	readonly diff?: boolean;
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
		.option(
			'--at <entry>',
			'resume at this entry instead of the last; at a compaction: what the model received before and after it',
		)
		.option('--diff', 'what the last compaction, or the one that --at names, took away, and what stands for it')
		.addOption(
			new Option('--as <shape>', 'print the messages as this provider’s API takes them').choices(
				Object.keys(contextShapes),
			),
		)
		.addHelpText(
			'after',
			'\nExamples:\n  reprise context samples/claude-code.jsonl\n  reprise context samples/clido.jsonl --json\n  reprise context samples/openclaw.jsonl --as openai-chat',
		)
		.action(async (session: string, options: Options) => {
			const path = sessionPath(session);
			if (options.diff || (options.at !== undefined && options.rules === 'client')) {
				const { client, at } = options;
				const view = await compactionView(path, at, client === undefined ? {} : { client }).catch((error: unknown) => {
					// What is read by a program is a document, whatever the answer is.
					const isEmpty = error instanceof InputError && error.rule === 'not-compacted';
					if (isEmpty && options.json) printJson({ compaction: null, parts: [], added: [] });
					throw error;
				});
				if (view) {
					showCompaction(view, options);
					return;
				}
				if (options.diff) throw new InputError('unknown-entry', `${at} is not a compaction in ${path}`);
			}
			outcome.code = showContext(path, options);
		});
};

function showContext(path: string, { client, at, rules, as, json }: Options): ExitCode {
	const context =
		rules === 'seed' ? seedContextOf(path) : contextOf(path, { ...(client ? { client } : {}), ...(at ? { at } : {}) });
	if (context.refused !== undefined)
		complain(context.unknown ? context.refused : `the client would not resume this session: ${context.refused}`);
	if (as !== undefined) printJson({ ...document(context), messages: shapeMessages(context, as) });
	else if (json) printJson(document(context));
	else printProse(messagesText(context));
	return context.refused === undefined ? 0 : 1;
}

/** What is told of a compaction: with `--diff` what became of each part, else both contexts. */
function showCompaction(view: CompactionView, { diff, json, as }: Options): void {
	const { before, after, parts, added } = view;
	const shaped = (context: Context) => (as === undefined ? context.messages : shapeMessages(context, as));
	if (json || as !== undefined) {
		const now = diff ? { parts, added } : { before: shaped(before), ...document(after), messages: shaped(after) };
		printJson({ compaction: compactionFacts(view), ...now });
	} else if (diff) printProse([compactionLine(view), '', ...parts.map(partText), ...added.map(addedText)].join('\n'));
	else {
		const both = [`— before it —`, messagesText(before), '— after it —', messagesText(after)];
		printProse([compactionLine(view), ...both].join('\n\n'));
	}
}

function compactionFacts({ compaction, collapse }: CompactionView): object {
	const { id, trigger, tokensBefore, tokensAfter, time } = compaction;
	const { replaced, tokensSaved } = collapse ?? {};
	return compact({ id, trigger, time, tokensBefore, tokensAfter, tokensSaved, replaced });
}

function compactionLine({ compaction, parts }: CompactionView): string {
	const { id, trigger, tokensBefore, tokensAfter } = compaction;
	const count = (now: ContextPart['now']): number => parts.filter((part) => part.now === now).length;
	const tokens = [tokensBefore, tokensAfter].flatMap((sum) => (sum === undefined ? [] : [sum.toLocaleString('en-US')]));
	const how = trigger === undefined ? '' : ` (${trigger})`;
	const size =
		tokens.length === 0 ? '' : `: about ${tokens.join(' tokens became about ')}${tokens.length === 1 ? ' tokens' : ''}`;
	const what = `${parts.length} parts: ${count('gone')} gone, ${count('quoted')} quoted in the summary, ${count('stays')} unchanged`;
	return `compaction ${id}${how}${size}; ${what}`;
}

const partMarks: { readonly [N in ContextPart['now']]: string } = { gone: '-', quoted: '~', stays: ' ' };

function partText(part: ContextPart): string {
	const line = marked(partMarks[part.now], part);
	return part.now === 'gone' ? paint('red', line) : line;
}

function addedText(part: ContextPart): string {
	return paint('green', marked('+', part));
}

function marked(mark: string, { role, type, text }: ContextPart): string {
	const name = type === 'text' ? role : `${role} ${type.replace('tool_', '')}`;
	return `${mark} ${name}: ${text.trimEnd()}`.replaceAll('\n', `\n${mark}   `).replaceAll(/ +$/gm, '');
}

function messagesText({ messages }: Context): string {
	return messages.map(describe).join('\n\n');
}

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
