/** The seed checklist: every row is there, every proof it names exists, and what a client does is proved by running the client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingProof, type Proof, proofsIn } from './support/proofs.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/seed-checklist.md'), 'utf8');

/** The titles of what is still to come. */
const issues = [
	'Tools, settings, hooks, MCP',
	'Sub-agents, compaction, checkpoints, commands',
	'Frames',
	'Serve',
	'The console',
];

/** Rows about what a client does, by document. A codec that can read or write such a line is no proof that any client does it. */
const doing: { readonly [seed: string]: RegExp } = {
	'Claude Code session protocol': /^(§4\.1\.2|§4\.[3-8]|§[5-9]|§10|12\.|B )/,
	'Claude Code data models and frames': /^/,
};

/** Rows of them about a record, which is read as well: a test of its codec may stand beside the one that starts the command. */
const recorded = /^§4\.(3(?!\.3)|4|6)/;

/** Those of them that nothing is missing of. */
const closed: { readonly [seed: string]: RegExp } = {
	'Claude Code session protocol': /^(§4\.1\.2|§4\.[3-8]|§[5-9]|§10|12\.[1-8] |B )/,
	'Claude Code data models and frames':
		/^(family |permission |frame (?!bridge_state|permission_response)|model |storage (?!Remote)|remote, unknown)/,
};

/** What a test file uses that starts the command: the built one as a process, or its main function. */
const starters = [
	'support/client.ts',
	'support/host.ts',
	'support/tool-table.ts',
	'support/seed-runs.ts',
	'support/in-process.ts',
	'bin/reprise.js',
];

interface Row {
	readonly seed: string;
	readonly ref: string;
	readonly proof: string;
}

function rows(): readonly Row[] {
	const found: Row[] = [];
	let seed = '';
	for (const line of page.split('\n')) {
		const heading = /^## (.+)$/.exec(line)?.[1];
		if (heading) seed = heading;
		const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
		if (cells.length !== 7 || cells[1] === 'ref' || /^:?-+:?$/.test(cells[1] ?? '')) continue;
		found.push({ seed, ref: cells[1] ?? '', proof: cells[5] ?? '' });
	}
	return found;
}

const issueOf = ({ proof }: Row): string | undefined => /^issue: (.+)$/.exec(proof)?.[1];

const testsOf = ({ proof }: Row): readonly Proof[] => proofsIn(proof);

/** One sentence per row that something is wrong with. */
function wrong(problemOf: (row: Row) => string | undefined): readonly string[] {
	return rows().flatMap((row) => {
		const problem = problemOf(row);
		return problem === undefined ? [] : [`${row.seed} ${row.ref}: ${problem}`];
	});
}

describe('seed checklist', () => {
	it('every row that was ever listed is still there', () => {
		const listed = JSON.parse(readFileSync(join(root, 'test/seeds/rows.json'), 'utf8')) as { [seed: string]: string[] };
		const present: { [seed: string]: string[] } = {};
		for (const row of rows()) {
			present[row.seed] ??= [];
			present[row.seed]?.push(row.ref);
		}
		for (const [seed, refs] of Object.entries(listed)) {
			expect(
				refs.filter((ref) => !present[seed]?.includes(ref)),
				seed,
			).toEqual([]);
		}
		expect(Object.keys(listed)).toHaveLength(5);
	});

	it('every row has a proof: tests that exist, or the title of what will bring it', () => {
		expect(
			wrong((row) => {
				const issue = issueOf(row);
				if (issue !== undefined) return issues.includes(issue) ? undefined : `unknown issue ${issue}`;
				const tests = testsOf(row);
				return tests.length === 0
					? `no proof in "${row.proof}"`
					: tests.map(missingProof).find((one) => one !== undefined);
			}),
		).toEqual([]);
	});

	it('what a client does is proved by tests that start the command', () => {
		const rowsAboutDoing = rows().filter(({ seed, ref }) => doing[seed]?.test(ref));
		expect(rowsAboutDoing.length).toBeGreaterThan(140);
		expect(
			wrong((row) => {
				if (!doing[row.seed]?.test(row.ref)) return undefined;
				const tests = testsOf(row);
				if (recorded.test(row.ref) && tests.some(({ path }) => starts(path))) return undefined;
				const other = tests.find(({ path }) => !starts(path));
				return other && `${other.path} does not start the command`;
			}),
		).toEqual([]);
	});

	it('nothing is left to come of what has been closed', () => {
		expect(
			wrong((row) => (closed[row.seed]?.test(row.ref) && issueOf(row) !== undefined ? row.proof : undefined)),
		).toEqual([]);
	});
});

function starts(path: string): boolean {
	const text = readFileSync(join(root, path), 'utf8');
	return starters.some((starter) => text.includes(starter));
}
