/** An agent of your own: a model, tools, and a session that any of the four clients can take over. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandle } from 'reprise';
import { newConversation, startRun } from 'reprise/agent';
import { nodeHost } from 'reprise/host';
import { scriptProvider } from 'reprise/providers';
import { builtinTools } from 'reprise/tools';

const cwd = mkdtempSync(join(tmpdir(), 'agent-'));
writeFileSync(join(cwd, 'notes.txt'), 'buy milk\n');
// A script stands in for a model; with a key: findModel('anthropic/claude-sonnet-4-5', { env: process.env }).
const model = scriptProvider([
	{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'notes.txt' } }] },
	{ text: 'There is one note: buy milk.' },
]);
if (!model.ok) throw new Error(model.problem);
await using handle = await createHandle({ format: 'claude-code', cwd, path: join(cwd, 'session.jsonl') });
const run = startRun(handle, newConversation(), 'What is in my notes?', {
	...{ provider: model.provider, model: 'script', system: 'You are brief.', tools: builtinTools },
	...{ cwd, mode: 'default', host: nodeHost() },
});
for await (const event of run) if (event.type === 'tool_execution_start') console.log(`uses ${event.toolName}`);
const { text, outcome } = await run.result;
console.log(`${outcome}: ${text}`);
rmSync(cwd, { recursive: true, force: true });
