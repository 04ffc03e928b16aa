/** What the real client decided, and what we decide: never laxer, nearly always the same, and every difference has a reason. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowedCases } from '../support/allowed.ts';
import { caseBelow, permissionCases, permissionFolders } from '../support/permission-cases.ts';
import { type Scratch, scratchMachine } from '../support/scratch.ts';

interface Compared {
	readonly id: string;
	readonly theirs: string;
	readonly ours: string;
}

const version = '2.1.325';
const strictness = ['allow', 'ask', 'deny'];
const cases = permissionCases(version);
let scratch: Scratch;
let compared: readonly Compared[];

beforeAll(() => {
	scratch = scratchMachine();
	const { home, project } = permissionFolders(scratch.root);
	const file = join(scratch.root, 'cases.jsonl');
	writeFileSync(file, cases.map((one) => JSON.stringify(caseBelow(scratch.root, one))).join('\n'));
	const answers = allowedCases(file, { cwd: project, home });
	compared = cases.map(({ id, decision }, index) => ({
		id,
		theirs: decision,
		ours: answers[index]?.decision ?? 'nothing',
	}));
});
afterAll(() => scratch[Symbol.dispose]());

describe(`decisions of Claude Code ${version}`, () => {
	it('we are never laxer', () => {
		const laxer = compared.filter(({ theirs, ours }) => strictness.indexOf(ours) < strictness.indexOf(theirs));
		expect(laxer).toEqual([]);
	});

	it('we decide the same in at least 95 of 100 cases', () => {
		const same = compared.filter(({ theirs, ours }) => theirs === ours).length;
		expect(same / cases.length).toBeGreaterThanOrEqual(0.95);
	});

	it('every difference is listed with its reason in docs/permissions.md', () => {
		const document = readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8');
		const rows = [...document.matchAll(/^\| ([\w-]+-\d+) \|.*\| (allow|ask|deny) \| (allow|ask|deny) \| (.+) \|$/gm)];
		const listed = rows.map(([, id, theirs, ours]) => ({ id: `${id}@${version}`, theirs, ours }));
		expect(listed).toEqual(compared.filter(({ theirs, ours }) => theirs !== ours));
	});
});
