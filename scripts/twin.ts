/** The same scripted work in the real Claude Code and in Reprise: which versions, what is compared, what is recorded, and what a sample takes. */
// Every file, exit code and failed call has to be like that of one of the two versions, point by point. ORACLES=FOLDER names the
// programs that run the clients.
//
//   twin.ts               every case of test/corpus/twin
//   twin.ts 05 08         some of them
//   twin.ts --sample      a third of them, another one each day
//   twin.ts --record      what the real clients do now goes to test/corpus/twin/*.expected.json
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { oraclesFolder } from '../src/move/index.ts';
import { clientsOf, type Observed, shortened, twinCases, twinFolder, unlike } from '../test/support/twin.ts';

const { values: options, positionals: wanted } = parseArgs({
	options: { record: { type: 'boolean', default: false }, sample: { type: 'boolean', default: false } },
	allowPositionals: true,
});

const versions = ['2.1.29', '2.1.325'] as const;
/** Each run uses a good part of a core. */
const parallel = 2;
const executable = join(import.meta.dirname, '../bin/reprise.js');

interface Side {
	readonly steps: readonly { readonly exitCode: number | string }[];
	readonly calls: readonly { readonly id: string; readonly error: boolean; readonly text: string }[];
	readonly tree: { readonly [path: string]: string };
}

function observed({ steps, calls, tree }: Side): Observed {
	return {
		exits: steps.map(({ exitCode }) => exitCode),
		failed: Object.fromEntries(calls.map(({ id, error }) => [id, error])),
		files: tree,
		texts: Object.fromEntries(calls.map(({ id, text: told }) => [id, told])),
	};
}

interface Answer {
	readonly client?: Side;
	readonly executable?: Side;
	readonly error?: string;
}

async function twinRun(oracles: string, name: string, ...args: readonly string[]): Promise<Answer> {
	const flags = ['--case', join(twinFolder, `${name}.json`), '--timeout', '240', ...args];
	const child = spawn(join(oracles, 'twin-run'), flags, { stdio: ['ignore', 'pipe', 'inherit'] });
	return JSON.parse(await text(child.stdout)) as Answer;
}

/** The newer client is asked only where the older one does something else: most cases are done in half of the time. */
async function compare(oracles: string, name: string): Promise<readonly string[]> {
	const [older, newer] = versions;
	const both = await twinRun(oracles, name, '--client', older, '--executable', executable);
	if (!both.client || !both.executable) return [both.error ?? 'no verdict'];
	const ours = observed(both.executable);
	if (unlike(ours, [observed(both.client)]).length === 0) return [];
	const other = clientsOf(name).includes(newer) ? await twinRun(oracles, name, '--client', newer) : {};
	if (other.error !== undefined) return [other.error];
	return unlike(ours, [both.client, ...(other.client ? [other.client] : [])].map(observed));
}

async function record(oracles: string, name: string): Promise<readonly string[]> {
	const found: { [version: string]: Observed } = {};
	for (const version of versions.filter((one) => clientsOf(name).includes(one))) {
		const { client, error } = await twinRun(oracles, name, '--client', version);
		if (!client) return [error ?? 'no verdict'];
		const { texts, ...counted } = observed(client);
		// The words are those of the version that Reprise follows.
		found[version] = version === versions[0] ? { ...counted, ...(texts ? { texts: shortened(texts) } : {}) } : counted;
	}
	writeFileSync(join(twinFolder, `${name}.expected.json`), `${JSON.stringify(found, null, '\t')}\n`);
	return [];
}

async function main(): Promise<number> {
	const oracles = oraclesFolder(process.env);
	if (oracles === undefined) {
		console.error('twin: ORACLES does not name the programs that run the real clients');
		return 2;
	}
	const turn = Math.floor(Date.now() / 86_400_000) % 3;
	const waiting = twinCases()
		.filter((name) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)))
		.filter((_, at) => !options.sample || at % 3 === turn);
	let failed = 0;
	const work = async (): Promise<void> => {
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
			const problems = await (options.record ? record : compare)(oracles, name);
			if (problems.length > 0) failed += 1;
			console.log([`${problems.length === 0 ? 'ok' : 'NOT'} ${name}`, ...problems].join('\n    '));
		}
	};
	await Promise.all(Array.from({ length: parallel }, work));
	return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
