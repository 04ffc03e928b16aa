/** This machine as an agent sees it: a command in a process group of its own, and what the project tells an agent. */
import { gitBranchOf, nodeHost, projectInstructions } from 'reprise/host';

const host = nodeHost();
const cwd = process.cwd();
console.log(`branch: ${gitBranchOf(cwd) ?? 'none'}, ${projectInstructions(cwd).length} files of instructions`);
for await (const event of host.run({ command: 'echo hello', cwd, timeoutMs: 5000 }, new AbortController().signal)) {
	console.log(event);
}
