/** Replies that are no answers: cut off, or saying nothing. The work goes on all the same. */
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';

async function answers(...turns: readonly object[]) {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	const script = stage.script({ turns, default: { text: 'asked too often' } } as never);
	const ended = await stage.run(['-p', 'x', '--script', script]);
	const [session] = await stage.sessions();
	return { ...ended, lines: JSON.stringify(await stage.lines(session?.id)) };
}

const cut = { content: [{ type: 'text', text: 'This is cut off by the' }], stop: 'max_tokens' };
const empty = { content: [{ type: 'text', text: '' }] };

it('a reply that was cut off at its limit goes on', async () => {
	const { out, code, lines } = await answers(cut, { text: 'limit, and here is the rest.' });
	expect({ out, code }).toEqual({ out: 'limit, and here is the rest.\n', code: 0 });
	expect(lines).toContain('Your response was cut off because it exceeded the output token limit.');
});

it('a reply that says nothing is asked for again', async () => {
	const { out, code } = await answers(empty, { text: 'Asked again after nothing.' });
	expect({ out, code }).toEqual({ out: 'Asked again after nothing.\n', code: 0 });
});

it('a model that never comes to an end is asked three times, and no more, and its user is told', async () => {
	const { out, err, code } = await answers(cut, cut, cut, { ...cut, content: [{ type: 'text', text: 'still cut' }] });
	expect({ out, code }).toEqual({ out: 'still cut\n', code: 0 });
	expect(err).toContain('the answer stopped at the output limit of the model: “go on” continues it');
});
