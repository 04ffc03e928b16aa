/** `reprise search WORDS`: every session that says it, newest first, with the entry to jump to. */
import { Option } from 'commander';
import { type Role, roles } from '../catalog/index/entry-text.ts';
import type { Hit } from '../catalog/index/search.ts';
import { parseQuery } from '../catalog/index/words.ts';
import { contextOf } from '../store/context.ts';
import { InputError } from '../store/errors.ts';
import {
	allSessions,
	currentProject,
	indexAll,
	openCatalog,
	type Period,
	parseCount,
	parsePeriod,
	terminalWidth,
} from './catalog-access.ts';
import type { Define } from './commands.ts';
import { clip, paint, print, printJson } from './print.ts';

interface Options {
	readonly all?: boolean;
	readonly agent?: string;
	readonly role?: Role;
	readonly tool?: string;
	readonly since?: Period;
	readonly until?: Period;
	readonly limit: number;
	readonly json?: boolean;
}

/** Null where it cannot be told: in a sub-agent's file, and for what is no part of the conversation. */
type Found = Hit & { readonly inContext: boolean | null };

export const define: Define = (command) => {
	command
		.argument('<words...>', 'words (all are wanted), "a phrase", pre*, -without')
		.option('--all', 'in all projects, not only in this one')
		.option('--agent <name>', 'only sessions of this agent: claude-code, cline, clido, pi, openclaw')
		.addOption(new Option('--role <role>', 'only what was said by …').choices(roles))
		.option('--tool <name>', 'only calls and results of this tool')
		.option('--since <when>', 'said on this day or later: 2026-03-09, 2026-03, today, 7d, 2w, 3m', parsePeriod)
		.option('--until <when>', 'said up to and including this day', parsePeriod)
		.option('--limit <n>', 'at most so many', parseCount, 20)
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nThe first search reads all sessions; later ones only what is new.\n\n' +
				'Examples:\n  reprise search flaky test\n  reprise search --all "connection reset" --tool Bash\n  reprise search migrat* -draft --since 2w',
		)
		.action(async (words: readonly string[], options: Options) => {
			// A shell takes quotes away: an argument with spaces in it was a phrase.
			const question = words.map((word) => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(' ');
			const { terms } = parseQuery(question);
			if (terms.length === 0) throw new InputError('no-words', 'there is no word to look for in this question');
			using catalog = openCatalog();
			const sessions = [...allSessions()];
			await indexAll(catalog, sessions);
			const { agent, role, tool, since, until, limit } = options;
			const answer = catalog.search(question, {
				present: new Set(sessions.map((session) => session.path)),
				limit,
				...(options.all ? {} : { project: currentProject() }),
				...(agent === undefined ? {} : { agent }),
				...(role === undefined ? {} : { role }),
				...(tool === undefined ? {} : { tool }),
				...(since === undefined ? {} : { since: since.from }),
				...(until === undefined ? {} : { until: until.to }),
			});
			const hits = withContext(answer.hits);
			const { total, exact } = answer;
			if (options.json) printJson({ hits: hits.map(documentOf), total, ...(exact ? {} : { atLeast: true }) });
			else print(describe(hits, total, exact, terms, options));
		});
};

/** Asks each session once which of its entries its client would still send. */
function withContext(hits: readonly Hit[]): readonly Found[] {
	const known = new Map<string, ReadonlySet<string> | undefined>();
	return hits.map((hit) => {
		if (hit.subagent !== undefined || hit.role === 'note' || hit.role === 'title') return { ...hit, inContext: null };
		if (!known.has(hit.path)) known.set(hit.path, entriesInContext(hit.path));
		return { ...hit, inContext: known.get(hit.path)?.has(hit.entry) ?? null };
	});
}

function entriesInContext(path: string): ReadonlySet<string> | undefined {
	try {
		const { from, refused } = contextOf(path);
		return refused === undefined ? new Set(from.flat()) : undefined;
	} catch (error) {
		if (error instanceof InputError || (error instanceof Error && 'code' in error)) return undefined; // gone meanwhile
		throw error;
	}
}

function documentOf({ time, ...hit }: Found): object {
	return { ...hit, time: time === null ? null : new Date(time).toISOString() };
}

function describe(
	hits: readonly Found[],
	total: number,
	exact: boolean,
	terms: readonly string[],
	options: Options,
): string {
	if (hits.length === 0) {
		return options.all
			? 'Nothing found.'
			: `Nothing found in sessions of ${currentProject()}. --all looks in every project.`;
	}
	const shown =
		hits.length < total ? `${hits.length} of ${total.toLocaleString('en')}${exact ? '' : ' or more'}` : String(total);
	return [...hits.map((hit) => hitText(hit, terms)), paint('dim', `${shown} found`)].join('\n\n');
}

function hitText(hit: Found, terms: readonly string[]): string {
	const when = hit.time === null ? 'no time' : new Date(hit.time).toLocaleString('sv').slice(0, 16);
	const who = hit.tools.length > 0 ? `${hit.role} (${hit.tools.join(', ')})` : hit.role;
	const gone = hit.inContext === false ? paint('yellow', '  no longer in context') : '';
	const head = `${paint('cyan', hit.agent)}  ${when}  ${who}${gone}`;
	const title = clip((hit.title ?? hit.session).replace(/[\p{Cc}\p{Cf}]+/gu, ' '), terminalWidth() - 2);
	const snippet = clip(hit.snippet.replace(/[\p{Cc}\p{Cf}]+/gu, ' '), (terminalWidth() - 2) * 3);
	const jump = paint('dim', `reprise show ${hit.session} --at ${hit.entry}`);
	return [head, `  ${paint('bold', title)}`, ...wrap(marked(snippet, terms)), `  ${jump}`].join('\n');
}

/** Marks are added after cutting, so that no colour is cut off. */
function marked(text: string, terms: readonly string[]): string {
	let result = text;
	for (const term of terms) {
		const pattern = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		result = result.replace(new RegExp(pattern, 'giu'), (found) => `\ue000${found}\ue001`);
	}
	return result;
}

function wrap(text: string): readonly string[] {
	const width = terminalWidth() - 2;
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		if (line !== '' && plainLength(line) + 1 + plainLength(word) > width) {
			lines.push(line);
			line = word;
		} else line = line === '' ? word : `${line} ${word}`;
	}
	return [...lines, line].map((one) => `  ${highlighted(one)}`);
}

const marks = /[\ue000\ue001]/g;

function plainLength(text: string): number {
	return text.replace(marks, '').length;
}

/** A marked piece may go over the end of a line: each line closes what it opens. */
function highlighted(line: string): string {
	return line
		.split('\ue000')
		.map((piece, index) => {
			if (index === 0) return piece.replace(marks, '');
			const [found = '', ...rest] = piece.split('\ue001');
			return paint('green', found) + rest.join('');
		})
		.join('');
}
