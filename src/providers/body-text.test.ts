/** What is sent is what was meant, whether its JSON was made now or before. */
import { expect, test } from 'vitest';
import { bodyText } from './body-text.ts';

const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

test('a body is the JSON of what is asked, however often its messages were sent before', () => {
	const messages = [said('"one"'), said('two\n\ud800')];
	for (let more = 0; more < 3; more += 1) {
		const body = { model: 'm', tools: [], stream: true, messages: [...messages] };
		expect(JSON.parse(bodyText(body))).toEqual(JSON.parse(JSON.stringify(body)));
		messages.push(said(`more ${more}`));
	}
});

test('a body without messages, and one with nothing else, are whole', () => {
	expect(JSON.parse(bodyText({ messages: [] }))).toEqual({ messages: [] });
	expect(JSON.parse(bodyText({ messages: [said('hello')] }))).toEqual({ messages: [said('hello')] });
});
