/** Asks a model once and prints its reply as it streams. A script stands in; with a key, `findModel` gives a real one. */
import { configuredProviders, findModel, scriptProvider } from 'reprise/providers';

console.log(`set up here: ${configuredProviders(process.env).length} providers`);
const wanted = process.argv[2];
const script = scriptProvider([{ text: 'A reply, word by word.' }]);
if (!script.ok) throw new Error(script.problem);
const found = wanted === undefined ? undefined : await findModel(wanted, { env: process.env });
if (found && !found.ok) throw new Error(found.problem);
const { provider, model } = found ?? { provider: script.provider, model: 'script' };
const request = {
	...{ model, system: 'You are brief.', tools: [] },
	messages: [{ role: 'user' as const, content: 'Say something.', timestamp: Date.now() }],
};
for await (const event of provider.stream(request, new AbortController().signal)) {
	if (event.type === 'text_delta') process.stdout.write(event.delta);
	if (event.type === 'failure') console.log(`failed: ${event.failure.message}`);
}
console.log();
