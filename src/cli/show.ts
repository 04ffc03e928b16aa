/** `reprise show SESSION`: a transcript one likes to read. */
import { spawn } from 'node:child_process';
import { markdown } from '../export/markdown.ts';
import { type Part, transcript } from '../export/transcript.ts';
import { byId, history, recordBytes, recordsOf, type Session } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { sessionPath } from '../store/find-session.ts';
import { openSession } from '../store/open.ts';
import type { Define } from './commands.ts';
import { fencedLanguages, highlighter } from './highlight.ts';
import { coloursWanted, paint, printJson } from './print.ts';
import { sessionHelp } from './session-argument.ts';
import { terminalText } from './show-terminal.ts';

interface Options {
	readonly json?: boolean;
	readonly md?: boolean;
	readonly raw?: boolean;
	readonly at?: string;
	readonly thinking?: boolean;
	readonly events?: boolean;
	readonly subagents?: boolean;
	readonly full?: boolean;
	readonly pager: boolean;
}

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.option('--md', 'as Markdown')
		.option('--raw', 'the records of the conversation exactly as they are in the file')
		.option('--json', 'print one JSON document')
		.option('--at <entry>', 'read up to this entry instead of the last')
		.option('--thinking', 'with the model’s thinking')
		.option('--events', 'with hooks, commands, notices and what the client added')
		.option('--subagents', 'with sub-agents, where they were called')
		.option('--full', 'fold nothing')
		.option('--no-pager', 'print everything at once')
		.addHelpText(
			'after',
			'\nExamples:\n  reprise show samples/claude-code.jsonl\n  reprise show samples/clido.jsonl --md',
		)
		.action(async (file: string, options: Options) => {
			const session = await openSession(sessionPath(file), { subagents: options.subagents === true });
			if (options.at !== undefined && !byId(session).has(options.at)) {
				throw new InputError('no-entry', `${file} has no entry ${options.at}`);
			}
			if (options.raw) return await out(rawRecords(session, options.at), options);
			const parts = transcript(session, options);
			if (options.json) return printJson({ session: session.id, format: session.format, parts: parts.map(partJson) });
			const fold = options.full ? Number.POSITIVE_INFINITY : 12;
			await out(options.md ? markdown(session, parts, { fold }) : await forTerminal(session, parts, fold), options);
		});
};

/** A part without the entry behind it, which is named by its id. */
function partJson({ from, ...part }: Part): object {
	const inner = part.kind === 'subagent' ? { parts: part.parts.map(partJson) } : {};
	return { ...part, ...inner, entry: from.id, ...(from.time ? { time: from.time } : {}) };
}

function rawRecords(session: Session, at: string | undefined): string {
	const seen = new Set<number>();
	const pieces: string[] = [];
	for (const entry of at === undefined ? history(session) : history(session, at)) {
		for (const record of recordsOf(session, entry)) {
			if (seen.has(record.index)) continue;
			seen.add(record.index);
			pieces.push(Buffer.from(recordBytes(session.source, record)).toString('utf8').replace(/\n?$/, '\n'));
		}
	}
	return pieces.join('');
}

async function forTerminal(session: Session, parts: readonly Part[], fold: number): Promise<string> {
	const width = Math.min(process.stdout.columns ?? 80, 120);
	const replies = parts.flatMap((part) => (part.kind === 'reply' ? [part.text] : [])).join('\n');
	const languages = coloursWanted() ? [...fencedLanguages(replies)] : [];
	const highlight = languages.length > 0 ? await highlighter(languages) : undefined;
	const { title, cwd, model } = session.header;
	const head = [
		paint('bold', title ?? session.id),
		paint('dim', [session.format, model, cwd].filter((fact) => fact !== undefined).join(' · ')),
	];
	return `${head.join('\n')}\n\n${terminalText(parts, { width, fold, ...(highlight ? { highlight } : {}) })}\n`;
}

/** Through the user's pager when a person is looking and it is long. */
async function out(text: string, options: Options): Promise<void> {
	const rows = process.stdout.rows ?? 0;
	if (!options.pager || !process.stdout.isTTY || text.split('\n').length <= rows) {
		process.stdout.write(text);
		return;
	}
	const pager = process.env.PAGER || 'less';
	await new Promise<void>((done) => {
		const child = spawn(pager, {
			shell: true,
			stdio: ['pipe', 'inherit', 'inherit'],
			env: { LESS: 'FRX', ...process.env },
		});
		child.on('error', () => {
			process.stdout.write(text);
			done();
		});
		child.on('close', () => done());
		child.stdin.on('error', () => child.stdin.destroy()); // the reader has left
		child.stdin.end(text);
	});
}
