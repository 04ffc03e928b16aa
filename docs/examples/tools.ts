/** A tool of your own: its schema tells the model what to send, and is what checks it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPrompt } from 'reprise';
import { scriptProvider } from 'reprise/providers';
import { defineTool, failed } from 'reprise/tools';
import { z } from 'zod';

const weather = defineTool({
	name: 'Weather',
	description: 'Tells the weather in a city.',
	effect: 'read',
	input: z.strictObject({ city: z.string().describe('The name of the city') }),
	subjects: ({ city }) => [city],
	async run({ city }) {
		if (city === '') return failed('There is no city without a name.');
		return { content: [{ type: 'text', text: `It is sunny in ${city}.` }] };
	},
});

const cwd = mkdtempSync(join(tmpdir(), 'tools-'));
const model = scriptProvider([
	{ content: [{ type: 'tool_use', name: 'Weather', input: { city: 'Oslo' } }] },
	{ text: 'Take sunglasses along.' },
]);
if (!model.ok) throw new Error(model.problem);
const { text, messages } = await runPrompt('What shall I wear in Oslo?', {
	...{ cwd, provider: model.provider, moreTools: [weather] },
	// Asked before each call that no rule allows: here a person would be.
	ask: async ({ tool }) => (tool.name === 'Weather' ? { allow: true } : { allow: false, reason: 'not today' }),
	sessionFile: join(cwd, 'session.jsonl'),
});
for (const message of messages) if (message.role === 'toolResult') console.log(message.content);
console.log(text);
rmSync(cwd, { recursive: true, force: true });
