/** A program that drives the agent by frames: it says one thing, is asked before a tool runs, and reads until the turn is over. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { driveProcess, familyOf, type JsonObject, parseFrame } from 'reprise/frames';

const reprise = createRequire(import.meta.url)
	.resolve('reprise/package.json')
	.replace(/package\.json$/, 'bin/reprise.js');
const story = [
	{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'touch hello.txt' } }] },
	{ text: 'The file is there.' },
];
writeFileSync('frames-story.json', JSON.stringify(story));

await using agent = driveProcess({
	command: process.execPath,
	args: [reprise, '--script', 'frames-story.json', '--session-file', 'frames-session.jsonl'],
	answers: {
		can_use_tool({ input }) {
			console.log('asked about', input);
			return { behavior: 'allow', updatedInput: input ?? {} };
		},
	},
});
agent.say('Make a file called hello.txt.');
for await (const parsed of agent.frames) {
	if (parsed.is !== 'frame') continue;
	console.log(parsed.family);
	if (parsed.family === 'result') agent.end();
}

// A frame that was kept somewhere is read again, and goes wherever a frame does: `agent.send` takes it, too.
const kept = parseFrame('{"type":"keep_alive"}');
if (kept.is !== 'broken') {
	const frame: JsonObject = kept.frame;
	console.log('kept:', familyOf(frame), familyOf(kept.frame), frame.type);
}
