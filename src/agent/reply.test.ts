/** What a channel is told when a run is over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scripted, stage } from '../../test/support/agent.ts';
import { reply } from './reply.ts';

describe('a reply', () => {
	it('is the text of the last message, to the message that asked', async () => {
		await using work = await stage(scripted([{ text: 'All **done**.' }]));
		expect(await reply(work.start('go'), 'm1')).toEqual({ text: 'All **done**.', replyToId: 'm1' });
	});

	it('has the media that the text shows and that tools made: one as itself, several as a list', async () => {
		await using work = await stage(
			scripted([
				{ text: '![a](https://x/a.png)' },
				{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'a.png' } }] },
				{ text: 'see ![b](https://x/b.png "title")' },
			]),
		);
		writeFileSync(join(work.config.cwd, 'a.png'), '\x89PNG\r\n\x1a\n', 'latin1');
		expect(await reply(work.start('one'))).toMatchObject({ mediaUrl: 'https://x/a.png' });
		expect(await reply(work.start('two'))).toMatchObject({
			mediaUrls: ['https://x/b.png', 'data:image/png;base64,iVBORw0KGgo='],
		});
	});

	it('says that it is an error, and which', async () => {
		await using work = await stage(scripted([{ error: { status: 401, message: 'no' } }]));
		const { result } = await work.run('go');
		expect(await reply(result)).toEqual({ text: result.problem, isError: true });
	});
});
