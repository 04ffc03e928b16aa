/** The library: what each command does, from a program. Works in a scratch home, so that your own sessions stay as they are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	checkFile,
	contextOf,
	convertFile,
	copySession,
	forkSession,
	handOff,
	listSessions,
	readTranscript,
	repairFile,
	runPrompt,
	searchSessions,
	sessionCosts,
	sessionPath,
	sessionStats,
} from 'reprise';
import { scriptProvider } from 'reprise/providers';

const home = mkdtempSync(join(tmpdir(), 'library-'));
process.env.HOME = home;
process.env.REPRISE_HOME = join(home, 'own');
delete process.env.CLAUDE_CONFIG_DIR;
await copySession(process.argv[2] ?? 'samples/claude-code.jsonl', `${home}/`, 'claude-code');

for (const { agent, title } of listSessions()) console.log(`${agent}: ${title}`);
const path = sessionPath(listSessions()[0]?.id ?? 'last');
for await (const part of readTranscript(path)) if (part.kind === 'tool') console.log(`  ${part.name} ${part.subject}`);
console.log(`${contextOf(path).messages.length} messages would be sent`);
console.log(`${searchSessions('test').total} entries say “test”`);
console.log(`${sessionCosts({ by: 'model' }).rows.map(({ key, costUsd }) => `${key} $${costUsd?.toFixed(4)}`)}`);
console.log(`${sessionStats({ by: 'agent' })[0]?.turns} turns`);

console.log(checkFile(path, 'client').ok ? 'its client opens it' : 'its client refuses it');
const { changes } = await repairFile(path, { dryRun: true });
console.log(`${changes.length} repairs are needed`);
const { losses } = await convertFile(path, { to: 'clido', out: join(home, 'converted.jsonl') });
console.log(`${losses.length} losses as a session of Clido`);
const { command } = await handOff(path, { to: 'pi', cwd: home });
console.log(`pi goes on with: ${command.replaceAll(home, '~')}`);

const fork = await forkSession(path);
const model = scriptProvider([{ text: 'All is well.' }]);
if (!model.ok) throw new Error(model.problem);
const { text, outcome } = await runPrompt('Is all well?', { resume: fork.path, cwd: home, provider: model.provider });
console.log(`${outcome}: ${text}`);
rmSync(home, { recursive: true, force: true });
