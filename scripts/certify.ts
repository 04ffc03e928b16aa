/** Runs the real clients on converted sessions: how many of each pair, how many at once, time limits. Writes docs/interop.md; the sessions are chosen in certify-cases.ts. */
// ORACLES=FOLDER names the programs that run the clients.
//
//   certify.ts                  the whole table and the full circle; goes on where an earlier run was stopped
//   certify.ts --sample         one session for each pair, within a minute; writes nothing
//   certify.ts --circle         the full circle alone; writes nothing
//   certify.ts --from FORMAT --client NAME --recorded N --made N    a part of the table; writes nothing
//   certify.ts --results FOLDER where the clients' answers are kept
//   certify.ts --minutes N      stops after that time; the next run goes on from there
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { codecs } from '../src/codecs/index.ts';
import type { FormatId } from '../src/model/index.ts';
import { type Certificate, type Client, clients, oraclesFolder } from '../src/move/index.ts';
import { type Case, type Counts, certifyCase, chooseCases } from './certify-cases.ts';
import { type Circle, circles } from './certify-circle.ts';

const { values: options } = parseArgs({
	options: {
		sample: { type: 'boolean', default: false },
		circle: { type: 'boolean', default: false },
		from: { type: 'string' },
		client: { type: 'string' },
		recorded: { type: 'string' },
		made: { type: 'string' },
		minutes: { type: 'string', default: '600' },
		results: { type: 'string', default: join(tmpdir(), 'reprise-certify-results') },
	},
});

/** They take many seconds each. */
const slow: ReadonlySet<string> = new Set(['Cline CLI 3.0.65', 'OpenClaw 2026.7.1']);
/** Runs at the same time; each uses a good part of a core. */
const parallel = 2;

const deadline = Date.now() + Number(options.minutes) * 60_000;

const part = options.from !== undefined || options.client !== undefined || options.recorded !== undefined;

function countsFor(client: Client): Counts {
	if (options.sample) return slow.has(client.name) ? { recorded: 0, made: 0 } : { recorded: 1, made: 0 };
	const { recorded = slow.has(client.name) ? 5 : 20, made = slow.has(client.name) ? 5 : 100 } = options;
	return { recorded: Number(recorded), made: Number(made) };
}

interface Result extends Case {
	readonly certificate: Certificate;
}

/** Undefined when the time was up before all were asked. */
async function certifyAll(oracles: string, folder: string): Promise<readonly Result[] | undefined> {
	const wanted = clients.filter(({ name }) => name.toLowerCase().includes((options.client ?? '').toLowerCase()));
	const chosen = await chooseCases(folder, wanted, countsFor);
	const cases = chosen.filter(({ from }) => options.from === undefined || from === options.from);
	const results = new Map<Case, Certificate>();
	const waiting = [...cases];
	const work = async (): Promise<void> => {
		for (let one = waiting.shift(); one && Date.now() < deadline; one = waiting.shift()) {
			const { certificate, now } = await certifyCase(oracles, folder, options.results, one);
			results.set(one, certificate);
			if (!isFine(certificate)) console.error(note({ ...one, certificate }));
			else if (now && results.size % 20 === 0) console.error(`${results.size} of ${cases.length}`);
		}
	};
	await Promise.all(Array.from({ length: parallel }, work));
	if (results.size < cases.length) {
		console.error(`the time is up after ${results.size} of ${cases.length}: run it again to go on`);
		return undefined;
	}
	return cases.flatMap((one) => {
		const certificate = results.get(one);
		return certificate ? [{ ...one, certificate }] : [];
	});
}

function isFine({ opened, equal, rejected }: Certificate): boolean {
	return opened && equal !== false && rejected === undefined;
}

function note({ from, client, name, certificate: one }: Result): string {
	const why = [one.note, one.rejected && `the API answers: ${one.rejected}`].filter(Boolean).join('; ');
	return `- ${from} → ${client.name}, \`${name}\`: ${why.replaceAll('\n', ' ').slice(0, 300)}`;
}

interface Row {
	readonly from: FormatId;
	readonly client: Client;
	readonly results: readonly Result[];
}

function rowsOf(results: readonly Result[]): readonly Row[] {
	return codecs.flatMap(({ id: from }) =>
		clients.flatMap((client) => {
			const own = results.filter((one) => one.from === from && one.client === client);
			return own.length === 0 ? [] : [{ from, client, results: own }];
		}),
	);
}

function summary({ results }: Row): readonly [opened: string, equal: string, rejected: string] {
	const all = results.length;
	const compared = results.filter(({ certificate }) => certificate.equal !== undefined);
	const equal = compared.filter(({ certificate }) => certificate.equal).length;
	return [
		`${results.filter(({ certificate }) => certificate.opened).length} of ${all}`,
		compared.length === 0 ? 'not compared' : `${equal} of ${compared.length}`,
		String(results.filter(({ certificate }) => certificate.rejected !== undefined).length),
	];
}

const cells = (list: readonly string[]): string => `| ${list.join(' | ')} |`;

function table(rows: readonly Row[]): readonly string[] {
	return [
		cells(['from', 'client', 'opened', 'as expected', 'refused']),
		cells(['---', '---', '---', '---', '---']),
		...rows.map((row) => cells([row.from, row.client.name, ...summary(row)])),
	];
}

const circleLine = ({ through, session, steps, whole }: Circle): string =>
	`- \`${session}\` through ${through}: ${whole ? 'whole' : '**not whole**'} (${steps.join(', ')})`;

function page(results: readonly Result[], rounds: readonly Circle[]): string {
	const notes = results.filter(({ certificate }) => !isFine(certificate)).map(note);
	return [
		'# Converted sessions in the real clients',
		'',
		'Made by `npm run certify`: sessions of the corpus, and made-up ones with what recorded sessions seldom have, converted by',
		'Reprise, then opened by the real client in a throw-away home against a scripted model that is as strict as the public API.',
		'_Opened_: the client took the file and sent a request. _As expected_: its messages are exactly those that',
		'`reprise context OUT --client VERSION` prints, for the model that it asks. _Refused_: requests that the API would answer with 400.',
		'In its own format a session is copied as it is, and so has no row here: what its client makes of it is recorded in `test/context`.',
		'',
		...table(rowsOf(results)),
		'',
		...(notes.length === 0 ? ['No exceptions.'] : ['## Exceptions', '', ...notes]),
		'',
		'## The full circle',
		'',
		'A session recorded by Claude Code is handed off, continued by the real client there, returned, and resumed at home.',
		'',
		...rounds.map(circleLine),
		'',
	].join('\n');
}

async function main(oracles: string, folder: string): Promise<boolean> {
	if (options.circle) {
		const rounds = await circles(oracles, folder);
		console.log(rounds.map(circleLine).join('\n'));
		return rounds.every(({ whole }) => whole);
	}
	const results = await certifyAll(oracles, folder);
	if (!results) return false;
	console.log(table(rowsOf(results)).join('\n'));
	const rounds = options.sample || part ? [] : await circles(oracles, folder);
	if (!options.sample && !part) {
		writeFileSync(join(import.meta.dirname, '../docs/interop.md'), page(results, rounds));
	}
	return rounds.every(({ whole }) => whole) && results.every(({ certificate }) => isFine(certificate));
}

const oracles = oraclesFolder(process.env);
if (oracles === undefined) {
	console.error('certify: ORACLES does not name the folder of the programs that run the clients; nothing was done');
	process.exit(3);
}
const scratch = mkdtempSync(join(tmpdir(), 'reprise-certify-'));
try {
	process.exitCode = (await main(oracles, scratch)) ? 0 : 1;
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
