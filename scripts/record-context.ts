/** Asks the real clients again what they make of the files under `test/context`, and writes their answers beside them. */
// ORACLES=FOLDER names the programs that run the clients: `record-context.ts [FORMAT[/NAME]]`. An answer is renewed where
// its file `expected.CLIENT.json` exists; an empty file of that name asks for a new one.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askOracle, type OracleAnswer } from './oracles.ts';

interface Case {
	readonly folder: string;
	readonly client: string;
}

const root = join(import.meta.dirname, '../test/context');

function pick(answer: OracleAnswer, fields: readonly string[]): OracleAnswer {
	return Object.fromEntries(
		fields.filter((field) => answer[field] !== undefined).map((field) => [field, answer[field]]),
	);
}

const apis = ['anthropic-messages', 'openai-completions', 'openai-responses', 'google-generative-ai'];
/** pi treats the generations of Gemini differently where calls and images are concerned. */
const geminis = ['google-generative-ai/gemini-2.5-pro', 'google-generative-ai/gemini-3-pro'];

/** pi: what its session manager loads, and what each API is sent. OpenClaw: what it sends to the one that is modelled. */
function openclaw({ folder, client }: Case): OracleAnswer {
	const file = ['--client', client, '--session', join(folder, 'session.jsonl')];
	if (client.startsWith('20')) return { resume: { [apis[0] ?? '']: resumed(askOracle('openclaw-resume', file)) } };
	const targets = /calls|ids/.test(folder) ? [...apis, ...geminis] : apis;
	const resume = targets.map((target) => {
		const [api = '', model] = target.split('/');
		return [target, resumed(askOracle('pi-resume', [...file, '--api', api, ...(model ? ['--model', model] : [])]))];
	});
	const load = pick(askOracle('pi-load', file), ['accepted', 'refusal', 'model', 'thinkingLevel', 'contextMessages']);
	return { load, resume: Object.fromEntries(resume) };
}

function resumed(answer: OracleAnswer): OracleAnswer {
	const { refusal, ...rest } = pick(answer, ['accepted', 'refusal', 'messages']);
	return refusal === undefined ? rest : { ...rest, refusal: reasonIn(String(refusal)) };
}

/** The error itself, out of the last words of a client. */
function reasonIn(output: string): string {
	const told = [...output.matchAll(/"errorMessage":"([^"]*)"/g)].at(-1)?.[1];
	return told ?? /\w*Error: .*/.exec(output)?.[0] ?? output.slice(0, 200);
}

/** Cline: the library and the command line client, each with the sidecar where there is one. */
function cline({ folder, client }: Case): OracleAnswer {
	const via = client.startsWith('0.') ? 'core' : 'cli';
	const sidecar = join(folder, 'session.compaction.json');
	const compaction = existsSync(sidecar) ? ['--compaction', sidecar] : [];
	return resumed(
		askOracle('cline-resume', ['--via', via, '--session', join(folder, 'session.messages.json'), ...compaction]),
	);
}

/** Claude Code. One that does not answer at all is an answer too: it goes round in a circle. */
function claudeCode({ folder, client }: Case): OracleAnswer {
	const file = ['--client', client, '--session', join(folder, 'session.jsonl'), '--cwd', '/home/dev/app'];
	const how = ['--keep-prompt', '--prompt', 'GO ON', '--timeout', '60'];
	const answer = askOracle('claude-code-resume', [...file, ...how], true);
	return answer.timedOut ? { accepted: false, refusal: 'hangs' } : resumed(answer);
}

const recorders: { readonly [format: string]: (test: Case) => OracleAnswer } = {
	openclaw,
	cline,
	'claude-code': claudeCode,
};

/** Temporary paths and ids of the run would make every recording differ. */
function settled(answer: OracleAnswer): string {
	return `${JSON.stringify(answer, undefined, 1).replaceAll(/\/tmp\/[\w.-]+(?:\/[\w.-]+)+/g, '<file>')}\n`;
}

const [wantedFormat, wantedName] = (process.argv[2] ?? '').split('/');
for (const [format, record] of Object.entries(recorders)) {
	if (wantedFormat && wantedFormat !== format) continue;
	for (const name of readdirSync(join(root, format))) {
		if (wantedName && wantedName !== name) continue;
		const folder = join(root, format, name);
		for (const file of readdirSync(folder)) {
			const client = /^expected\.(.+)\.json$/.exec(file)?.[1];
			if (client === undefined) continue;
			writeFileSync(join(folder, file), settled(record({ folder, client })));
			process.stdout.write(`${format}/${name} ${client}\n`);
		}
	}
}
