/** The page about repair, made from the code, a run over the malformed cases, and the recorded answers of the real clients. */
import { type Codec, codecs } from '../src/codecs/index.ts';
import { memorySource } from '../src/model/index.ts';
import { buildContext } from '../src/store/reader/context.ts';
import { planRepair, type RepairPlan } from '../src/store/repair/repair.ts';
import { answersOf, askedClients, inShort } from '../test/repair/answers.ts';
import { type RepairCase, repairCases } from '../test/repair/cases.ts';

/** Malformed cases in whose bytes nothing is wrong, or nothing is there: no edit of the file helps. */
const beyond: { readonly [name: string]: string } = {
	'claude-code/resume-cases/empty_file': 'the file is empty: there is nothing to resume',
	'claude-code/resume-cases/slug_wrong_dir':
		'nothing is wrong with the file; it lies in the folder of another project, which `reprise relink` puts right (2.1.325 finds it anyway)',
	'openclaw/min/15-missing-cwd':
		'nothing is wrong with the file; the project’s folder is gone, which `reprise relink` puts right',
	'openclaw/min/16-empty': 'the file is empty: pi starts a new session in it',
	'clido/1.0.15/15-empty-file': 'the file is empty: there is nothing to resume',
	'cline/resume-cases/a20-empty': 'the session has no messages: Cline starts it anew',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => `\`${text.replaceAll('`', 'ˋ').replaceAll('|', '\\|').replaceAll('\n', ' ')}\``;
const short = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

export function repairPage(): string {
	const cases = repairCases().map((one) => ({ one, plan: planOf(one) }));
	const parts = [
		'# Repair',
		'',
		'`reprise repair FILE` makes the smallest edit after which a session’s own client resumes it: it shows the edit as a diff, keeps',
		'the original beside the file (`FILE.reprise-original`, never written over) and replaces the file in one step. `--dry-run` writes',
		'nothing, `-o OUT` leaves the original alone. Lines that are not touched keep their bytes. What can be read is not thrown away:',
		'a block or result that cannot be sent becomes text, and what has to go stays in the original. Every change names the rule that it',
		'answers (docs/rules.md) and what is lost by it. After a repair `reprise check` finds no error, and a second repair changes nothing.',
		'',
		'This page is made by `npm run docs` from a run over the cases below. The answers of the clients were recorded by',
		'`scripts/record-repair.ts` with the rules of the public API enforced; `test/repair` holds them to the bytes that are written today.',
	];
	for (const codec of codecs) parts.push(...remedyTable(codec));
	parts.push(...hopelessTable());
	for (const codec of codecs)
		parts.push(
			...caseTable(
				codec,
				cases.filter(({ one }) => one.format === codec.id),
			),
		);
	return `${parts.join('\n')}\n`;
}

function planOf(one: RepairCase): RepairPlan {
	const codec = codecs.find((other) => other.id === one.format);
	if (!codec) throw new Error(`no codec for ${one.format}`);
	return planRepair(codec, one.bytes, one.options);
}

function remedyTable(codec: Codec): readonly string[] {
	const rows = (codec.check.repair?.remedies ?? []).map(({ rules, does, only }) => {
		const names = rules.map((rule) => `\`${rule.slice(codec.id.length + 1)}\``).join(' ');
		return `| ${names || '(on request)'} | ${cell(does)}${only === undefined ? '' : ` Only with \`--for ${only}\`.`} |`;
	});
	return ['', `## What is mended in ${codec.name} sessions`, '', '| rules | what repair does |', '|---|---|', ...rows];
}

function hopelessTable(): readonly string[] {
	const rules = codecs.flatMap((codec) =>
		Object.entries(codec.check.repair?.hopeless ?? {}).map(([rule, reason]) => `| \`${rule}\` | ${cell(reason)} |`),
	);
	const cases = Object.entries(beyond).map(([name, reason]) => `| ${name} | ${cell(reason)} |`);
	return ['', '## What cannot be mended', '', '| rule or case | reason |', '|---|---|', ...rules, ...cases];
}

function caseTable(
	codec: Codec,
	cases: readonly { readonly one: RepairCase; readonly plan: RepairPlan }[],
): readonly string[] {
	const asked = askedClients[codec.id] ?? [];
	const clients = asked.length > 0 ? asked : [`the reader’s rules (${codec.name} ${codec.context.clients?.at(-1)})`];
	const head = ['case', 'what was wrong', 'edit', ...clients];
	const rows = cases
		.filter(({ plan }) => plan.changed || plan.unrepaired.length > 0)
		.map(({ one, plan }) => {
			const results = asked.length > 0 ? asked.map((client) => recorded(client, one)) : [byRules(codec, plan)];
			const name = one.name.slice(codec.id.length + 1);
			const left = plan.unrepaired.map(({ reason }) => `not repaired: ${reason}`);
			const done = plan.unrepaired.length > 0 && !plan.changed ? results.map(() => 'not asked') : results;
			return `| ${[name, `${cell(one.wrong)} (${rulesOf(codec, plan)})`, cell([...editsOf(plan), ...left].join('; ')), ...done].join(' | ')} |`;
		});
	return ['', `## Cases of ${codec.name}`, '', `| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows];
}

/** The rules that were broken and are answered, or are left. */
function rulesOf(codec: Codec, plan: RepairPlan): string {
	const rules = [...plan.changes.map(({ rule }) => rule), ...plan.unrepaired.map(({ issue }) => issue.rule)];
	return [...new Set(rules)].map((rule) => `\`${rule.slice(codec.id.length + 1)}\``).join(', ');
}

/** Equal changes of several lines are told once. */
function editsOf(plan: RepairPlan): readonly string[] {
	const lines = new Map<string, number[]>();
	for (const { what, line } of plan.changes) lines.set(what, [...(lines.get(what) ?? []), line]);
	return [...lines].map(([what, at]) => `${at.length === 1 ? 'line' : 'lines'} ${at.join(', ')}: ${what}`);
}

function recorded(client: string, one: RepairCase): string {
	const answer = answersOf(client)[one.name];
	if (!answer) return 'not asked';
	if (!answer.accepted) return cell(`refused: ${answer.refusal ?? ''}`);
	return `accepted: ${code(short(inShort(answer.messages), 160))}`;
}

/** There is no program to ask for Clido: its reader's rules are in the codec, taken from runs of the real reader. */
function byRules(codec: Codec, plan: RepairPlan): string {
	const context = buildContext(codec, memorySource(plan.bytes), {});
	if (context.refused !== undefined) return cell(`refused: ${context.refused}`);
	return `accepted: ${code(short(inShort(context.messages) || '(no messages)', 160))}`;
}
