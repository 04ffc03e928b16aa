/** This machine as an agent sees it: a command in a process group of its own, and what the project tells an agent. */
import { gitBranchOf, instructionsFor, nodeHost } from 'reprise/host';

const host = nodeHost();
const cwd = process.cwd();
const { files } = await instructionsFor(cwd, { project: true, local: true });
console.log(`branch: ${gitBranchOf(cwd) ?? 'none'}, ${files.length} files of instructions`);
for await (const event of host.run({ command: 'echo hello', cwd, timeoutMs: 5000 }, new AbortController().signal)) {
	console.log(event);
}
