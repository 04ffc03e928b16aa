/** `reprise search WORDS`: how hits are grouped and printed, the default limit, and how phrases and -words are told from options. What is found is decided in src/catalog. */
import { Option, type ParseOptionsResult } from 'commander';
import type { SessionFile } from '../../catalog/cost/collect.ts';
import { type Role, roles } from '../../catalog/index/entry-text.ts';
import type { Hit } from '../../catalog/index/search.ts';
import { parseQuery, withoutMarks } from '../../catalog/index/words.ts';
import { type SearchHit, searchWithNames } from '../../catalog/search-sessions.ts';
import { countText } from '../../export/count-text.ts';
import { compact } from '../../model/index.ts';
import { flagged } from '../../model/quoted.ts';
import type { Project } from '../../store/find/project.ts';
import { sessionWord } from '../../store/find/session-names.ts';
import {
	clip,
	complain,
	folderText,
	oneLine,
	paint,
	print,
	printJson,
	shortNames,
	timeText,
} from '../../terminal/print.ts';
import { terminalWidth, textWidth } from '../../terminal/width.ts';
import { indent, wrap } from '../../terminal/wrap.ts';
import { count } from '../choices.ts';
import type { Define } from '../commands.ts';
import { indexing } from '../progress.ts';
import {
	type PeriodOptions,
	periodOptions,
	projectOf,
	queryOf,
	type SessionOptions,
	sessionOptions,
} from '../session-options.ts';

interface Options extends SessionOptions, PeriodOptions {
	readonly role?: Role;
	readonly tool?: string;
	readonly limit: number;
	readonly json?: boolean;
}

export const define: Define = (command, outcome) => {
	const parse = command.parseOptions.bind(command);
	command.parseOptions = (args) => withWords(parse(args));
	command.argument('<words...>', 'words that must all occur, "a phrase", pre*, -without');
	sessionOptions(command)
		.addOption(new Option('--role <role>', 'only what was said by …').choices(roles))
		.option('--tool <name>', 'only calls and results of this tool');
	periodOptions(command, 'said')
		.option('--limit <n>', 'at most this many', count, 20)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nThe first search reads all sessions; later ones only what is new. Nothing found: exit code 1. A hit that the model would no longer\n' +
				'be sent, because the conversation was compacted or went on elsewhere, is marked “not in context”.\n\n' +
				'Examples:\n  reprise search flaky test\n  reprise search --all "connection reset" --tool Bash\n  reprise search migrat* -draft --since 2w',
		)
		.action((words: readonly string[], options: Options) => {
			// A shell takes quotes away: an argument with spaces in it was a phrase.
			const question = words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
			const { role, tool, limit } = options;
			const found = indexing((progress) =>
				searchWithNames(question, { ...queryOf(options), limit, progress, ...compact({ role, tool }) }),
			);
			const { hits, total, exact } = found;
			const project = projectOf(options);
			if (options.json) printJson({ hits: hits.map(documentOf), total, ...(exact ? {} : { atLeast: true }) });
			else if (hits.length > 0) print(describe(found, parseQuery(question).places, project));
			else complain(nothingFound(project));
			if (hits.length === 0) outcome.code = 1;
		});
};

/** Behind the first word, -draft is a word and no mistyped option; --draft is one. */
function withWords({ operands, unknown }: ParseOptionsResult): ParseOptionsResult {
	const end = unknown.includes('--') ? unknown.indexOf('--') : unknown.length;
	const words = unknown.slice(0, end);
	const options = words.filter((word) => /^(--.|-h$)/.test(word));
	if (operands.length === 0 || options.length > 0) return { operands, unknown: options.length > 0 ? options : unknown };
	return { operands: [...operands, ...words, ...unknown.slice(end + 1)], unknown: [] };
}

function documentOf({ time, ...hit }: SearchHit): object {
	return { ...hit, time: time === null ? null : new Date(time).toISOString() };
}

function nothingFound(project: Project | undefined): string {
	if (project === undefined) return 'nothing found';
	return `nothing found in the sessions of ${project.folder}; --all looks in every project`;
}

/** Session by session, the one with the newest hit first. */
function describe(
	{ hits, total, exact, all: sessions }: ReturnType<typeof searchWithNames>,
	places: RegExp,
	project: Project | undefined,
): string {
	const nameOf = namesFor(sessions);
	const groups = Map.groupBy(hits, (hit) => hit.path);
	const pieces = [...groups.values()].map((group) =>
		[
			...group.slice(0, 1).map((hit) => headText(hit, group.length, project === undefined)),
			...group.map((hit) => `${hitText(hit, places, nameOf)}\n`),
		]
			.join('\n')
			.trimEnd(),
	);
	const count = `${countText(total)}${exact ? '' : ' or more'}`;
	const shown = hits.length < total ? `${hits.length} of ${count} found; --limit shows more` : `${count} found`;
	return [...pieces, paint('dim', shown)].join('\n\n');
}

/** What `show` takes: the beginning of the id that no other session has, or the file where that is not enough. */
function namesFor(sessions: readonly SessionFile[]): NameOf {
	const mains = shortNames(sessions.filter((one) => one.parent === undefined));
	return ({ session, agent, subagent, path }) => {
		if (subagent === undefined) return mains({ id: session, agent }) ?? path;
		const others = sessions.filter((one) => one.id.startsWith(subagent));
		return others.length === 1 ? subagent : path;
	};
}

type NameOf = (hit: Pick<Hit, 'session' | 'agent' | 'path' | 'subagent'>) => string;

/** The session that the hits below it are of. */
function headText(hit: SearchHit, count: number, everywhere: boolean): string {
	const hits = count === 1 ? [] : [`${count} hits`];
	const about = [hit.agent, ...(everywhere && hit.cwd !== undefined ? [folderText(hit.cwd)] : []), ...hits];
	const of = hit.subagent === undefined ? '' : ` ▸ sub-agent ${hit.subagent}`;
	const facts = `${about.join(' · ')}${of}`;
	const room = terminalWidth() - textWidth(facts) - 2;
	const title = oneLine(hit.title ?? hit.session);
	if (room < 20)
		return `${paint('bold', clip(title, terminalWidth()))}\n${paint('cyan', clip(facts, terminalWidth()))}`;
	return `${paint('bold', clip(title, room))}  ${paint('cyan', facts)}`;
}

function hitText(hit: SearchHit, places: RegExp, nameOf: NameOf): string {
	const width = terminalWidth() - 2;
	const who = hit.tools.length > 0 ? `${hit.role} (${[...new Set(hit.tools)].join(', ')})` : hit.role;
	const when = hit.time === null ? '' : `${timeText(hit.time)}  `;
	const lost = hit.inContext === false ? '  not in context' : '';
	const snippet = marked(clip(oneLine(hit.snippet), width * 3), places);
	// A title is of the whole session, and need not be an entry.
	const session = sessionWord({ id: nameOf(hit), path: hit.path });
	const jump = `reprise show ${session}${hit.role === 'title' ? '' : ` ${flagged('--at', hit.entry)} -n 1`}`;
	const copies = hit.copies?.map(nameOf).join(', ') ?? '';
	return [
		`  ${when}${clip(oneLine(who), width - when.length - lost.length)}${paint('yellow', lost)}`,
		...(snippet === '' ? [] : [indent(wrap(snippet, width), '  ', '  ')]),
		...(copies === '' ? [] : [`  ${paint('dim', `also in ${copies}`)}`]),
		// Not cut: it is there to be copied.
		`  ${paint('dim', jump)}`,
	].join('\n');
}

/** Every place where one of the terms stands, in colour; letters with and without marks are the same. */
function marked(text: string, places: RegExp): string {
	let result = '';
	let from = 0;
	for (const match of withoutMarks(text).matchAll(places)) {
		const end = match.index + match[0].length;
		result += text.slice(from, match.index) + paint('green', text.slice(match.index, end));
		from = end;
	}
	return result + text.slice(from);
}
