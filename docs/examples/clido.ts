/** Iterates the typed lines of a Clido session, as its document shows. */
import { SessionReader } from 'reprise/clido';

let tools = 0;
for (const line of SessionReader.open(process.argv[2] ?? 'samples/clido.jsonl')) {
	if (line.type === 'meta') console.log(`project ${line.project_path}`);
	if (line.type === 'tool_call') tools += 1;
	if (line.type === 'result') console.log(`${line.exit_status}, ${line.total_cost_usd} USD`);
}
console.log(`${tools} tool calls`);
