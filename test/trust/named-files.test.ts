/** Files and pictures that a prompt names: what goes along is what may be read, and of the rest is said why it does not. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pixel = Buffer.from(png, 'base64');

interface Sent {
	readonly err: string;
	/** The session as it was written: all that a model was told is in it. */
	readonly session: string;
	/** The types of the pictures that went along. */
	readonly pictures: readonly string[];
}

async function sent(stage: ClientStage, prompt: string, ...flags: readonly string[]): Promise<Sent> {
	const { code, err } = await stage.run(['-p', prompt, '--script', stage.script([{ text: 'Seen.' }]), ...flags]);
	expect({ code, err }).toMatchObject({ code: 0 });
	const [path] = (await stage.sessions()).map((one) => one.path);
	const session = readFileSync(path ?? '', 'utf8');
	return { err, session, pictures: [...session.matchAll(/"media_type":"([^"]+)"/g)].map(([, type = '']) => type) };
}

describe('a picture that a prompt names', () => {
	it('goes along by its path, with or without a sign, as what its first bytes say', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('a dot.png'), pixel);
		writeFileSync(stage.file('really.jpg'), pixel);
		const { err, session, pictures } = await sent(stage, "don't miss 'a dot.png', nor @really.jpg (nor really.jpg).");
		expect(pictures).toEqual(['image/png', 'image/png']);
		expect(session.split(png)).toHaveLength(3);
		expect(err).toBe('');
	});

	it('stays where a rule denies it, a link leads out, it is outside, or no regular file', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('secret.png'), pixel);
		const outside = join(stage.cwd, '..', 'outside.png');
		writeFileSync(outside, pixel);
		symlinkSync(outside, stage.file('logo.png'));
		symlinkSync('secret.png', stage.file('inner.png'));
		execFileSync('mkfifo', [stage.file('pipe.png')]);
		mkdirSync(stage.file('folder.png'));
		const prompt = `see secret.png inner.png logo.png ${outside} pipe.png folder.png and @logo.png`;
		const { err, session, pictures } = await sent(stage, prompt, '--disallowed-tools', 'Read(secret.png)');
		expect(pictures).toEqual([]);
		expect(session).not.toContain(png);
		const told = err.replaceAll(/\n\s+/g, ' ');
		for (const name of ['secret.png', 'inner.png', '@logo.png', outside, 'pipe.png', 'folder.png'])
			expect(told.split(`${name} was not sent: `), told).toHaveLength(2);
		expect(told).toContain('outside the folders that are worked in');
	});

	it('stays where it is none, is empty or too large, and nothing of it is in the session', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('fake.png'), 'not a png at all');
		writeFileSync(stage.file('empty.png'), '');
		writeFileSync(stage.file('huge.png'), Buffer.concat([pixel, Buffer.alloc(6 << 20)]));
		const { err, session, pictures } = await sent(stage, 'look at fake.png, empty.png and huge.png; make new.png');
		expect(pictures).toEqual([]);
		expect(session).not.toContain('not a png at all');
		const told = err.replaceAll(/\n\s+/g, ' ');
		expect(told).toMatch(/fake\.png was not sent: .*not a valid PNG/);
		expect(told).toMatch(/empty\.png was not sent: /);
		expect(told).toMatch(/huge\.png was not sent: .*at most 5/);
		expect(told).not.toContain('new.png was');
	});

	it('goes along with a command of a file, too', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('dot.png'), pixel);
		mkdirSync(join(stage.home, '.claude', 'commands'), { recursive: true });
		writeFileSync(join(stage.home, '.claude', 'commands', 'explain.md'), 'Explain $ARGUMENTS');
		expect((await sent(stage, '/explain dot.png')).pictures).toEqual(['image/png']);
	});
});

describe('a file that a prompt names with a sign', () => {
	it('goes along, or is said to stay; a word that looks like no path is not spoken of', async () => {
		using stage = new ClientStage();
		mkdirSync(stage.file('src'));
		writeFileSync(stage.file('src/a.ts'), 'the text of a');
		const outside = join(stage.cwd, '..', 'outside.txt');
		writeFileSync(outside, 'not for you');
		const words = '@jane @types/node @app.route("/") @Injectable() me@example.org';
		const { err, session } = await sent(stage, `@src/a.ts @src/mod99 @gone.md @${outside} @src ${words}`);
		expect(session).toContain('the text of a');
		expect(session).not.toContain('not for you');
		const told = err.replaceAll(/\n\s+/g, ' ');
		expect(told).toContain('@src/mod99 was not sent: there is no such file');
		expect(told).toContain('@gone.md was not sent: there is no such file');
		expect(told).toContain(`@${outside} was not sent: it is, or leads, outside`);
		expect(told).toContain('@src was not sent: it is a folder');
		expect(told.split('was not sent')).toHaveLength(5);
	});
});
