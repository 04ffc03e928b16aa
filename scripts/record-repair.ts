/** Asks the real clients what they make of every repaired case, and writes their answers to `test/repair/CLIENT.json`. */
// ORACLES=FOLDER names the programs that run the clients: `record-repair.ts [CLIENT] [PART OF A CASE'S NAME]`. An answer
// whose repaired bytes have not changed is kept unless it is named.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codecOf } from '../src/codecs/index.ts';
import { planRepair } from '../src/store/repair/repair.ts';
import type { Answer, Answers } from '../test/repair/answers.ts';
import { type RepairCase, repairCases } from '../test/repair/cases.ts';
import { askOracle } from './oracles.ts';

const folder = join(import.meta.dirname, '../test/repair');

interface Client {
	readonly name: string;
	readonly format: string;
	ask(file: string): readonly string[];
}

const clients: readonly Client[] = [
	...['2.1.29', '2.1.325'].map((version) => ({
		name: `claude-code-${version}`,
		format: 'claude-code',
		ask: (file: string) => [
			'claude-code-resume',
			'--client',
			version,
			'--session',
			file,
			'--cwd',
			'/tmp/proj/demo-app',
		],
	})),
	...['0.73.1', '0.87.1'].map((version) => ({
		name: `pi-${version}`,
		format: 'openclaw',
		ask: (file: string) => ['pi-resume', '--client', version, '--session', file],
	})),
	{
		name: 'cline-core-0.0.86',
		format: 'cline',
		ask: (file: string) => ['cline-resume', '--via', 'core', '--session', file],
	},
];

function fileName(one: RepairCase, name: string | undefined): string {
	if (one.format === 'cline') return `${one.options.id}.messages.json`;
	return name ?? `${one.options.id}.jsonl`;
}

function record(client: Client, one: RepairCase, bytes: Uint8Array, name: string | undefined): Answer {
	const scratch = mkdtempSync(join(tmpdir(), 'record-repair-'));
	try {
		const file = join(scratch, fileName(one, name));
		writeFileSync(file, bytes);
		const [program = '', ...args] = client.ask(file);
		const { accepted, refusal, apiRejection, messages } = askOracle(program, [...args, '--strict']);
		return {
			repaired: createHash('sha256').update(bytes).digest('hex'),
			accepted: accepted === true,
			...(typeof refusal === 'string' ? { refusal: refusal.replaceAll(scratch, '<folder>') } : {}),
			...(apiRejection === undefined ? {} : { apiRejection: JSON.stringify(apiRejection) }),
			messages: (messages ?? []) as Answer['messages'],
		};
	} finally {
		rmSync(scratch, { recursive: true });
	}
}

const [wantedClient = '', wantedCase = ''] = process.argv.slice(2);
for (const client of clients) {
	if (!client.name.includes(wantedClient)) continue;
	const path = join(folder, `${client.name}.json`);
	const old = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Answers) : {};
	const answers: { [name: string]: Answer } = {};
	for (const one of repairCases()) {
		const codec = codecOf(one.format);
		if (one.format !== client.format || !codec) continue;
		const plan = planRepair(codec, one.bytes, one.options);
		if (!plan.changed || plan.unrepaired.length > 0) continue;
		const known = old[one.name];
		const same = known?.repaired === createHash('sha256').update(plan.bytes).digest('hex');
		if (known && same && !(wantedCase !== '' && one.name.includes(wantedCase))) answers[one.name] = known;
		else {
			answers[one.name] = record(client, one, plan.bytes, plan.name);
			process.stdout.write(`${client.name} ${one.name} ${answers[one.name]?.accepted ? 'accepted' : 'refused'}\n`);
		}
		writeFileSync(path, `${JSON.stringify({ ...old, ...answers }, undefined, 1)}\n`);
	}
	writeFileSync(path, `${JSON.stringify(answers, undefined, 1)}\n`);
}
