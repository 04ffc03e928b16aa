/** `reprise repair FILE`: flags, and how the diff, the changes and the losses are printed, and from how many on they are only counted. What is mended, the codecs decide. */
import { Option } from 'commander';
import { lossVerbs } from '../../client/loss-words.ts';
import { countedText, countText } from '../../export/count-text.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { shortened } from '../../store/repair/diff.ts';
import { type RepairResult, repairFile } from '../../store/repair/repair.ts';
import { paint, print, printJson, printProse } from '../../terminal/print.ts';
import { formatNamed, formatNames } from '../choices.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';

interface Options {
	readonly dryRun?: boolean;
	readonly out?: string;
	readonly json?: boolean;
	readonly for?: string;
	readonly thinking?: 'text' | 'drop';
	readonly format?: string;
	readonly cwd?: string;
}

export const define: Define = (command, outcome) => {
	command
		.argument('<session>', sessionHelp)
		.option('--dry-run', 'show what would be changed and write nothing')
		.option('-o, --out <path>', 'write the repaired session there; the original stays as it is')
		.option('--for <version>', 'also fix what only this version of the client stumbles over, such as 2.1.29')
		.addOption(
			new Option(
				'--thinking <how>',
				'for a session whose thinking the model rejects: turn all thinking into text, or drop it',
			).choices(['text', 'drop']),
		)
		.addOption(
			new Option('--format <format>', 'the format of a file that is too damaged to be recognised')
				.choices(formatNames)
				.argParser(formatNamed),
		)
		.option('--cwd <folder>', 'the project’s folder, where the file does not name it (default: the current one)')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nWithout -o the file is replaced in one step and the original kept beside it as FILE.reprise-original.\nExit code 1 if an error remains that no edit can fix. docs/repair.md lists what is repaired and how.\n\nExample:\n  reprise repair samples/claude-code.jsonl --dry-run',
		)
		.action(async (session: string, options: Options) => {
			const { for: client, ...rest } = options;
			const result = await repairFile(sessionPath(session, { writes: true }), {
				...rest,
				...(client === undefined ? {} : { client }),
			});
			outcome.code = result.ok ? 0 : 1;
			if (options.json) printJson(result);
			else {
				if (result.diff !== '') print(`${coloured(shortened(result.diff.trimEnd(), width))}\n`);
				printProse(report(session, result, options.dryRun === true));
			}
		});
};

const width = 240;

/** Of what is said again and again so many are listed. */
const most = 100;

/** The first of each kind; the last of them counts those that are not listed. */
function folded<T extends object>(all: readonly T[], kindOf: (one: T) => string): readonly (T & { more: number })[] {
	const counts = new Map<string, number>();
	const last = new Map<string, T & { more: number }>();
	const listed: (T & { more: number })[] = [];
	for (const one of all) {
		const kind = kindOf(one);
		const count = (counts.get(kind) ?? 0) + 1;
		counts.set(kind, count);
		const before = last.get(kind);
		if (count > most && before) before.more += 1;
		else {
			const shown = { ...one, more: 0 };
			listed.push(shown);
			last.set(kind, shown);
		}
	}
	return listed;
}

function andMore(more: number): string {
	return more === 0 ? '' : ` (and ${countText(more)} more of the kind)`;
}

function report(session: string, result: RepairResult, dry: boolean): string {
	const lines: string[] = [];
	for (const { line, what, rule, more } of folded(result.changes, ({ rule, what }) => `${rule} ${what}`)) {
		lines.push(`line ${line}: ${what} ${paint('dim', `[${rule}]`)}${andMore(more)}`);
	}
	for (const { issue, reason } of result.unrepaired) {
		const where = issue.line === 0 ? 'file' : `line ${issue.line}`;
		lines.push(paint('red', `not repaired: ${where}: ${reason}`) + paint('dim', ` [${issue.rule}]`));
	}
	if (lines.length > 0) lines.push('');
	lines.push(verdict(session, result, dry));
	return lines.join('\n');
}

/** `3 parts gone`, `1 made up`: which ones the changes say. */
function lossCounts(losses: RepairResult['losses']): readonly string[] {
	const counts = Map.groupBy(losses, ({ how }) => how);
	return [...counts].map(([how, all]) => `${countedText(all.length, 'part')} ${lossVerbs[how]}`);
}

function verdict(session: string, result: RepairResult, dry: boolean): string {
	if (!result.changed) {
		const copied = result.out === null ? '' : `; ${result.out} is a copy of it`;
		return `${session}: ${result.ok ? `nothing to repair${copied}` : 'cannot be repaired, nothing written'}`;
	}
	const changes = countedText(result.changes.length, 'change');
	const count = [changes, ...lossCounts(result.losses)].join(', ');
	if (dry) return `${session}: ${count}, nothing written`;
	const name =
		result.name !== null && result.out !== null && !result.out.endsWith(result.name)
			? `\nthe client finds it only under the name ${result.name}`
			: '';
	return `${result.out}: ${count}; the original is ${result.kept}${name}`;
}

function coloured(diff: string): string {
	return diff
		.split('\n')
		.map((line) => {
			if (line.startsWith('@@') || line.startsWith('+++') || line.startsWith('---')) return paint('cyan', line);
			if (line.startsWith('+')) return paint('green', line);
			return line.startsWith('-') ? paint('red', line) : line;
		})
		.join('\n');
}
