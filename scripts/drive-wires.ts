/** The official Agent SDK drives Reprise through its scenarios, with a model of every other protocol behind it: which wires and which scenarios. */
// Run as `ORACLES=folder node scripts/drive-wires.ts [--strict] [--sample] [WIRE…]`. The oracle's own model speaks Anthropic's protocol and looks at what it
// is asked; between it and Reprise stands a gateway (`test/support/gateway.ts`), so that it sees what Reprise has sent.
// A sample runs every scenario once, the wires taking turns.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { oracles } from './oracles.ts';

const all = ['chat', 'responses', 'google', 'ollama'];
const [strict, named] = [
	process.argv.includes('--strict'),
	process.argv.slice(2).filter((arg) => !arg.startsWith('--')),
];
const isSample = process.argv.includes('--sample');
const unknown = named.find((name) => !all.includes(name));
if (unknown !== undefined) {
	console.error(`there is no wire ${unknown}: ${all.join(', ')}`);
	process.exit(2);
}

interface Driven {
	readonly scenarios: readonly { readonly name: string; readonly pass: boolean; readonly reason: string | null }[];
}

const scenarioNames = [
	...['plain', 'tool_allow', 'tool_deny', 'interrupt', 'set_model', 'permission_mode', 'hooks_pretooluse'],
	...['partial_messages', 'multi_turn', 'resume', 'fork', 'session_store_mirror', 'subagent', 'max_turns'],
	...['api_error', 'mcp_sdk_server'],
];

let failed = 0;
const wires = named.length > 0 ? named : all;
for (const [turn, wire] of wires.entries()) {
	const started = Date.now();
	const args = ['--executable', join(import.meta.dirname, 'behind-wire.ts'), '--provider-env', `REPRISE_WIRE=${wire}`];
	if (isSample) args.push('--scenario', scenarioNames.filter((_, at) => at % wires.length === turn).join());
	// The SDK starts the executable with the Node that it runs on, and ours has to be one that knows TypeScript.
	const env = { ...process.env, ORACLES_NODE: process.execPath };
	const program = join(oracles, 'agent-sdk-drive');
	const run = spawnSync(program, strict ? [...args, '--strict'] : args, { encoding: 'utf8', env, maxBuffer: 1 << 28 });
	// It does not count scenarios as failed that it takes for optional: here all count.
	const { scenarios = [] } = JSON.parse(run.stdout) as Partial<Driven>;
	const passed = scenarios.filter(({ pass }) => pass).length;
	if (passed === 0 || passed < scenarios.length) failed++;
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	console.log(`${wire}${strict ? ' (strict)' : ''}: ${passed} of ${scenarios.length} in ${seconds} s`);
	for (const { name, pass, reason } of scenarios) if (!pass) console.log(`  ${name}: ${reason}`);
	if (scenarios.length === 0) console.log(run.stdout + run.stderr);
}
process.exitCode = failed > 0 ? 1 : 0;
